// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/execution.h"

#include "core/support/bytes_text.h"
#include "core/support/clean_text.h"
#include "data/campaign/campaign_text.h"
#include "data/support/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gridhelm::data {

namespace {

constexpr std::size_t maxShown = 2000; ///< templates

/// In one line.
std::string inLine(std::string_view text)
{
    std::string line;
    for (const char c : everythingSpelledOut(text))
        line += c == '\n' ? std::string("\\n") : std::string(1, c);
    return line;
}

std::string templateLine(const TemplateFile &file)
{
    const auto name = inLine(file.target.string());
    if (file.kind == TemplateFile::Kind::folder)
        return name + "/\n";
    const auto size = bytesText(static_cast<double>(file.bytes));
    if (file.kind == TemplateFile::Kind::linkedFolder)
        return fmt::format("{}/, a link to {} ({}), SHA-256 {}\n", name,
                           inLine(file.source.string()), size, file.sha256);
    return fmt::format("{}, {}, {}{}, SHA-256 {}\n", name, size,
                       file.isText ? "text" : "binary or large",
                       file.isExecutable ? ", executable" : "", file.sha256);
}

std::string settingText(const RunSetting &setting)
{
    if (const auto *flag = std::get_if<bool>(&setting))
        return *flag ? "true" : "false";
    if (const auto *integer = std::get_if<int>(&setting))
        return std::to_string(*integer);
    if (const auto *number = std::get_if<double>(&setting))
        return fmt::format("{}", *number); // as many digits as tell it from all others
    return std::get<std::string>(setting);
}

/// Nothing for a plan that does not say where it runs: what was agreed to before such plans could
/// stays agreed to.
void addRun(Sha256 &digest, const RunPlan &run)
{
    if (run.on.empty() && run.settings.empty())
        return;
    digest.addItem("run").addItem(run.on).addNumber(run.settings.size());
    for (const auto &[name, setting] : run.settings)
        digest.addItem(name).addNumber(setting.index()).addItem(settingText(setting));
}

} // namespace

std::string Execution::resultsDigest() const
{
    auto same = *this;
    std::erase_if(same.run.settings, [](const auto &setting) {
        return setting.first != "modules" && setting.first != "setup";
    });
    same.run.on.clear();
    return same.digest();
}

std::string Execution::digest() const
{
    Sha256 digest;
    digest.addItem("gridhelm execution 1");
    digest.addNumber(shell ? 1 : 0).addNumber(command.size());
    for (const auto &argument : command)
        digest.addItem(argument);
    digest.addNumber(environment.size());
    for (const auto &[name, value] : environment)
        digest.addItem(name).addItem(value);
    digest.addItem(result).addNumber(templates.size());
    for (const auto &file : templates) {
        digest.addItem(file.target.string()).addNumber(static_cast<unsigned>(file.kind));
        digest.addNumber(file.bytes).addItem(file.sha256);
        digest.addNumber(file.isExecutable ? 1 : 0);
    }
    addRun(digest, run);
    return digest.hex();
}

Execution executionOf(const CommandPlan &plan, const RunPlan &run,
                      const std::filesystem::path &study, const std::stop_token &stop)
{
    const std::filesystem::path result(plan.result);
    if (plan.isForeign && (result.is_absolute() || std::ranges::find(result, "..") != result.end()))
        throw Error("The plan's result '" + inLine(plan.result)
                    + "' lies outside of the job's folder, where a plan that was not made here "
                      "has no business; let the study follow a plan of yours with: gridhelm-cli "
                      "plan FILE.toml --update STUDY");
    return {plan.arguments,
            plan.shell,
            plan.environment,
            plan.result,
            templatesOf(plan, study, stop),
            run};
}

std::string executionText(const Execution &execution)
{
    std::string text =
        execution.shell ? "command, for the shell:\n" : "command, one argument a line:\n";
    for (const auto &argument : execution.command)
        text += execution.shell ? markedLines(argument) : markedLines(inLine(argument));
    text += "environment:\n";
    for (const auto &[name, value] : execution.environment)
        text += markedLines(inLine(name + " = " + value));
    text += "results:\n" + markedLines(inLine(execution.result));
    if (!execution.run.on.empty()) {
        text += "runs on:\n" + markedLines(inLine(execution.run.on));
        for (const auto &[name, setting] : execution.run.settings)
            text += markedLines(inLine(name + " = " + settingText(setting)));
    }
    text += "templates, copied to the folder of each job:\n";
    const auto shown = std::min(execution.templates.size(), maxShown);
    for (std::size_t i = 0; i < shown; ++i)
        text += "    | " + templateLine(execution.templates[i]);
    if (shown < execution.templates.size())
        text += fmt::format("    ({} more)\n", execution.templates.size() - shown);
    return text + "{name} becomes the value of that parameter; together SHA-256 "
           + execution.digest() + "\n";
}

UntrustedExecution::UntrustedExecution(std::shared_ptr<const Execution> execution)
    : Error("The study's plan wants to execute a command that nobody has agreed to on this "
            "machine; look at it, and trust it if you know it")
    , m_execution(std::move(execution))
{
}

} // namespace gridhelm::data
