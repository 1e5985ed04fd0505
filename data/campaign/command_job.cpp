// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/command_job.h"

#include "core/support/error.h"
#include "data/campaign/result_file.h"
#include "data/study/run_space.h"

#include <algorithm>

namespace gridhelm::data {

namespace fs = std::filesystem;

namespace {

constexpr const char *timesPlaceholder = "{times}"; ///< alone: as many arguments

std::shared_ptr<const Execution> executionFor(const Plan &plan, const RunnerOptions &options)
{
    if (options.execution)
        return options.execution;
    auto study = options.workFolder;
    if (study.extension() == ".jobs") // see workFolderOf()
        study.replace_extension();
    return std::make_shared<const Execution>(
        executionOf(std::get<CommandPlan>(plan.simulation), plan.run, study));
}

} // namespace

void addLogLine(std::string &log, const std::string &text)
{
    log += (log.empty() || log.back() == '\n' ? "" : "\n") + text;
}

/// Of those codes that shells, and who starts programs for us, use by convention.
std::string meaningOf(int exitCode)
{
    if (exitCode == 126)
        return ", which means that it may not be executed; set its permissions (chmod +x)";
    if (exitCode == 127)
        return ", which means that there is no such program; correct the plan's command";
    return {};
}

CommandOfPlan::CommandOfPlan(const Plan &of, const RunnerOptions &with)
    : space(runSpaceOf(of.description.space))
    , plan(std::get<CommandPlan>(of.simulation))
    , names(of.fields)
    , options(with)
    , folders(fs::absolute(options.workFolder))
    , execution(executionFor(of, options))
{
    folders.requireFolder();
}

PlaceholderValues CommandJob::placeholders(const fs::path &folder) const
{
    PlaceholderValues values{{"job", m_request.name}, {"dir", folder.string()}};
    for (std::size_t t = 0; t < m_request.parameters.size(); ++t)
        values[m_of.space[t].name] = numberText(m_request.parameters[t]);
    if (const auto time = m_of.space.timeLike()) {
        std::string times;
        for (double value : m_request.times)
            times += (times.empty() ? "" : " ") + numberText(value);
        values["times"] = times;
        values["last"] = numberText(m_request.times.back());
        values.erase(m_of.space[*time].name); // means the result's time
    }
    return values;
}

std::vector<std::string> CommandJob::arguments(const PlaceholderValues &values) const
{
    if (m_of.plan.shell)
        return {"/bin/sh", "-c", fillShellTemplate(m_of.plan.arguments.front(), values)};
    std::vector<std::string> arguments;
    for (const auto &argument : m_of.plan.arguments) {
        if (argument == timesPlaceholder && m_of.space.timeLike()) {
            for (const double time : m_request.times)
                arguments.push_back(numberText(time));
        } else {
            arguments.push_back(fillTemplate(argument, values));
        }
    }
    return arguments;
}

std::vector<std::pair<std::string, std::string>>
CommandJob::environment(const fs::path &folder, const PlaceholderValues &values) const
{
    std::vector<std::pair<std::string, std::string>> variables{{"GRIDHELM_JOB", m_request.name},
                                                               {"GRIDHELM_DIR", folder.string()}};
    for (const auto &[name, value] : m_of.plan.environment)
        variables.emplace_back(name, fillTemplate(value, values));
    return variables;
}

/// `time`: if the result's name has one.
fs::path CommandJob::resultIn(const fs::path &folder, const PlaceholderValues &values,
                              std::optional<double> time) const
{
    std::vector<NamedNumber> numbers;
    for (std::size_t t = 0; t < m_of.space.parameters().size(); ++t) {
        if (m_of.space.timeLike() != t)
            numbers.push_back({m_of.space[t], m_request.parameters[t]});
        else if (time)
            numbers.push_back({m_of.space[t], *time});
    }
    const auto file = resultFile(folder, m_of.plan.result, values, numbers);
    if (!m_of.plan.isForeign)
        return file;
    const auto inside = fs::canonical(file).lexically_relative(fs::canonical(folder));
    if (inside.empty() || *inside.begin() == "..")
        throw Error("the result " + file.string()
                    + " leads out of the job's folder, where the results of a plan that was "
                      "not made here must lie; correct the command, or the plan's 'result'");
    return file;
}

std::set<std::string> CommandJob::readResults(const fs::path &folder, const IsOld &isOld,
                                              const RunSink &sink,
                                              const std::stop_token &stop) const
{
    auto values = placeholders(folder);
    std::set<std::string> notes;
    const auto deliver = [&](std::size_t index, RunSnapshot snapshot) {
        for (auto &note : snapshot.notes)
            notes.insert("note: " + note);
        sink(index, keepFields(std::move(snapshot), m_of.names));
    };
    const auto read = [&](const fs::path &file, const std::function<void(RunSnapshot)> &take) {
        if (!isFoamCase(file) && isOld(file))
            throw Error("the result " + file.string()
                        + " was there before the job began, and the command has not written it: "
                          "see above why, or correct the plan's 'result'");
        m_of.options.reader(
            file,
            [&](RunSnapshot snapshot) {
                if (stop.stop_requested())
                    throw ReadingStopped();
                take(std::move(snapshot));
            },
            stop);
    };
    const auto time = m_of.space.timeLike();
    if (!time || m_of.plan.result.find("{" + m_of.space[*time].name + "}") != std::string::npos) {
        for (std::size_t i = 0; i < std::max<std::size_t>(m_request.times.size(), 1); ++i) {
            std::optional<double> at;
            if (time) {
                at = m_request.times[i];
                values[m_of.space[*time].name] = numberText(*at);
            }
            const auto file = resultIn(folder, values, at);
            std::optional<RunSnapshot> last; // of a series: how it ended
            read(file, [&](RunSnapshot snapshot) { last = std::move(snapshot); });
            if (!last)
                throw Error("the result " + file.string() + " holds no snapshot");
            deliver(i, std::move(*last));
        }
        return notes;
    }
    std::vector<bool> found(m_request.times.size());
    std::string there;
    read(resultIn(folder, values, {}), [&](RunSnapshot snapshot) {
        if (!snapshot.time)
            throw Error("the result does not say its times; let the plan's 'result' be one "
                        "file for each, with {"
                        + m_of.space[*time].name + "}, or a series (.pvd, .series)");
        if (there.size() < 200)
            there += (there.empty() ? "" : ", ") + numberText(*snapshot.time);
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (!found[i] && isSameTime(m_of.space[*time], m_request.times[i], *snapshot.time)) {
                found[i] = true;
                deliver(i, std::move(snapshot));
                return;
            }
        }
    });
    const auto lacks = std::find(found.begin(), found.end(), false);
    if (lacks != found.end())
        throw Error("the result lacks " + m_of.space[*time].name + " = "
                    + numberText(m_request.times[static_cast<std::size_t>(lacks - found.begin())])
                    + ", and has " + there
                    + "; let the command write those that it is given as {times}, or let the plan "
                      "say how many evenly spaced ones there are (times = 17, say)");
    return notes;
}

} // namespace gridhelm::data
