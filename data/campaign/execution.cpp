// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/execution.h"

#include "core/support/clean_text.h"
#include "data/campaign/campaign_text.h"
#include "data/support/sha256.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gridhelm::data {

namespace {

constexpr std::size_t mostShown = 2000; ///< templates

/// Every line of it behind a mark, so that no text can pretend to be what we say.
std::string marked(std::string_view text)
{
    std::string lines = "    | ";
    for (const char c : everythingSpelledOut(text))
        lines += c == '\n' ? std::string("\n    | ") : std::string(1, c);
    return lines + "\n";
}

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

} // namespace

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
    return digest.hex();
}

Execution executionOf(const CommandPlan &plan, const std::filesystem::path &study,
                      const std::stop_token &stop)
{
    const std::filesystem::path result(plan.result);
    if (plan.isForeign && (result.is_absolute() || std::ranges::find(result, "..") != result.end()))
        throw Error("The plan's result '" + inLine(plan.result)
                    + "' lies outside of the job's folder, where a plan that was not made here "
                      "has no business; let the study follow a plan of yours with: gridhelm-cli "
                      "plan FILE.toml --update STUDY");
    return {plan.arguments, plan.shell, plan.environment, plan.result,
            templatesOf(plan, study, stop)};
}

std::string executionText(const Execution &execution)
{
    std::string text =
        execution.shell ? "command, for the shell:\n" : "command, one argument a line:\n";
    for (const auto &argument : execution.command)
        text += execution.shell ? marked(argument) : marked(inLine(argument));
    text += "environment:\n";
    for (const auto &[name, value] : execution.environment)
        text += marked(inLine(name + " = " + value));
    text += "results:\n" + marked(inLine(execution.result));
    text += "templates, copied to the folder of each job:\n";
    const auto shown = std::min(execution.templates.size(), mostShown);
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
