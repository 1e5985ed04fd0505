// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/command_runner.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "data/campaign/child_process.h"
#include "data/campaign/execution.h"
#include "data/campaign/fill_template.h"
#include "data/campaign/result_file.h"
#include "data/campaign/template_files.h"
#include "data/campaign/work_folder.h"
#include "data/study/run_space.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <set>

namespace gridhelm::data {

namespace {

namespace fs = std::filesystem;

constexpr const char *logName = "gridhelm.log";
constexpr const char *timesPlaceholder = "{times}"; ///< alone: as many arguments

/// Ctrl-C while results are read.
using Stopped = ReadingStopped;

/// As a line of its own.
void addLine(std::string &log, const std::string &line)
{
    log += (log.empty() || log.back() == '\n' ? "" : "\n") + line;
}

std::shared_ptr<const Execution> executionFor(const CommandPlan &plan, const RunnerOptions &options)
{
    if (options.execution)
        return options.execution;
    auto study = options.workFolder;
    if (study.extension() == ".jobs") // see workFolderOf()
        study.replace_extension();
    return std::make_shared<const Execution>(executionOf(plan, study));
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

class CommandRunner : public JobRunner
{
public:
    CommandRunner(const Plan &plan, const RunnerOptions &options)
        : m_space(runSpaceOf(plan.description.space))
        , m_plan(std::get<CommandPlan>(plan.simulation))
        , m_names(plan.fields)
        , m_options(options)
        , m_folders(fs::absolute(options.workFolder))
        , m_execution(executionFor(m_plan, options))
    {
        m_folders.requireFolder();
    }

    RunResult run(const RunRequest &request, const RunSink &sink, const std::stop_token &stop,
                  const std::function<void(double)> &, std::string &log) const override
    {
        try {
            const auto folder = m_folders.begin(request.name);
            TemplateCopies copies(folder);
            const auto failure = attempt(request, folder, copies, sink, stop, log);
            if (failure && m_folders.isDiskFull())
                throw StorageError("A job failed (" + *failure + "), and the disk of "
                                   + m_folders.path().string()
                                   + " is full; free some space, then run again");
            if (failure) {
                addLine(log, "gridhelm: " + *failure);
                copies.remove();
                m_folders.keep(request.name);
                addLine(log, "(its folder is kept: " + folder.path().string() + ")");
            } else if (m_options.keepFolders) {
                m_folders.keep(request.name);
            } else {
                m_folders.remove(request.name);
            }
            log = validUtf8(log); // names from results may be anything
            return failure ? RunResult::failed : RunResult::finished;
        } catch (const Stopped &) {
            m_folders.remove(request.name);
            return RunResult::cancelled;
        } catch (const StorageError &) {
            m_folders.remove(request.name);
            throw;
        } catch (const Error &error) {
            addLine(log, std::string("gridhelm: ") + error.what());
            return RunResult::failed;
        }
    }

    bool deliversAtTheEnd() const override { return true; } // m_reading lets in one at a time

private:
    /// Why it failed; nothing if it went well. Throws Stopped, and StorageError.
    std::optional<std::string> attempt(const RunRequest &request, const JobFolder &folder,
                                       TemplateCopies &copies, const RunSink &sink,
                                       const std::stop_token &stop, std::string &log) const
    {
        try {
            const auto values = placeholders(request, folder.path());
            copies.copy(m_execution->templates, values);
            auto outcome = runChild(childRequest(request, folder.path(), values), stop);
            log = std::move(outcome.log);
            if (outcome.end == ChildOutcome::End::stopped)
                throw Stopped();
            if (auto failure = sentence(outcome); !failure.empty())
                return failure;
            for (const auto &note : readResults(request, folder.path(), values, sink, stop))
                addLine(log, note + "\n");
            return std::nullopt;
        } catch (const StorageError &) {
            throw;
        } catch (const Error &error) {
            return error.what();
        } catch (const fs::filesystem_error &error) {
            return std::string("the job's folder cannot be read (") + error.what() + ")";
        }
    }

    PlaceholderValues placeholders(const RunRequest &request, const fs::path &folder) const
    {
        PlaceholderValues values{{"job", request.name}, {"dir", folder.string()}};
        for (std::size_t t = 0; t < request.parameters.size(); ++t)
            values[m_space[t].name] = numberText(request.parameters[t]);
        if (const auto time = m_space.timeLike()) {
            std::string times;
            for (double value : request.times)
                times += (times.empty() ? "" : " ") + numberText(value);
            values["times"] = times;
            values["last"] = numberText(request.times.back());
            values.erase(m_space[*time].name); // means the result's time
        }
        return values;
    }

    ChildRequest childRequest(const RunRequest &request, const fs::path &folder,
                              const PlaceholderValues &values) const
    {
        ChildRequest child;
        if (m_plan.shell) {
            child.arguments = {"/bin/sh", "-c",
                               fillShellTemplate(m_plan.arguments.front(), values)};
        } else {
            for (const auto &argument : m_plan.arguments) {
                if (argument == timesPlaceholder && m_space.timeLike()) {
                    for (double time : request.times)
                        child.arguments.push_back(numberText(time));
                } else {
                    child.arguments.push_back(fillTemplate(argument, values));
                }
            }
        }
        child.folder = folder;
        child.log = folder / logName;
        child.timeLimit = m_plan.timeLimit;
        child.patience = m_options.patience;
        child.environment = {{"GRIDHELM_JOB", request.name}, {"GRIDHELM_DIR", folder.string()}};
        for (const auto &[name, value] : m_plan.environment)
            child.environment.emplace_back(name, fillTemplate(value, values));
        return child;
    }

    std::string sentence(const ChildOutcome &outcome) const
    {
        switch (outcome.end) {
        case ChildOutcome::End::exited:
            return outcome.code == 0 ? std::string()
                                     : "the command ended with exit code "
                                           + std::to_string(outcome.code) + meaningOf(outcome.code);
        case ChildOutcome::End::killed:
            return std::string("the command was ended by a signal (") + strsignal(outcome.code)
                   + ")";
        case ChildOutcome::End::timedOut:
            return "the command ran longer than its time limit of " + numberText(m_plan.timeLimit)
                   + " s and was ended; raise the plan's time-limit if that is too short";
        case ChildOutcome::End::stopped:
            break;
        }
        return {};
    }

    /// `time`: if the result's name has one.
    fs::path resultIn(const fs::path &folder, const PlaceholderValues &values,
                      const RunRequest &request, std::optional<double> time) const
    {
        std::vector<NamedNumber> numbers;
        for (std::size_t t = 0; t < m_space.parameters().size(); ++t) {
            if (m_space.timeLike() != t)
                numbers.push_back({m_space[t], request.parameters[t]});
            else if (time)
                numbers.push_back({m_space[t], *time});
        }
        const auto file = resultFile(folder, m_plan.result, values, numbers);
        if (!m_plan.isForeign)
            return file;
        const auto inside = fs::canonical(file).lexically_relative(fs::canonical(folder));
        if (inside.empty() || *inside.begin() == "..")
            throw Error("the result " + file.string()
                        + " leads out of the job's folder, where the results of a plan that was "
                          "not made here must lie; correct the command, or the plan's 'result'");
        return file;
    }

    /// Hands one snapshot for each wanted time over, or one, and returns notes about what was left
    /// out of them.
    std::set<std::string> readResults(const RunRequest &request, const fs::path &folder,
                                      PlaceholderValues values, const RunSink &sink,
                                      const std::stop_token &stop) const
    {
        const std::scoped_lock lock(m_reading); // see deliversAtTheEnd()
        std::set<std::string> notes;
        const auto deliver = [&](std::size_t index, RunSnapshot snapshot) {
            for (auto &note : snapshot.notes)
                notes.insert("note: " + note);
            sink(index, keepFields(std::move(snapshot), m_names));
        };
        const auto read = [&](const fs::path &file, const std::function<void(RunSnapshot)> &take) {
            m_options.reader(
                file,
                [&](RunSnapshot snapshot) {
                    if (stop.stop_requested())
                        throw Stopped();
                    take(std::move(snapshot));
                },
                stop);
        };
        const auto time = m_space.timeLike();
        if (!time || m_plan.result.find("{" + m_space[*time].name + "}") != std::string::npos) {
            for (std::size_t i = 0; i < std::max<std::size_t>(request.times.size(), 1); ++i) {
                std::optional<double> at;
                if (time) {
                    at = request.times[i];
                    values[m_space[*time].name] = numberText(*at);
                }
                const auto file = resultIn(folder, values, request, at);
                std::optional<RunSnapshot> last; // of a series: how it ended
                read(file, [&](RunSnapshot snapshot) { last = std::move(snapshot); });
                if (!last)
                    throw Error("the result " + file.string() + " holds no snapshot");
                deliver(i, std::move(*last));
            }
            return notes;
        }
        std::vector<bool> found(request.times.size());
        std::string there;
        read(resultIn(folder, values, request, {}), [&](RunSnapshot snapshot) {
            if (!snapshot.time)
                throw Error("the result does not say its times; let the plan's 'result' be one "
                            "file for each, with {"
                            + m_space[*time].name + "}, or a series (.pvd, .series)");
            if (there.size() < 200)
                there += (there.empty() ? "" : ", ") + numberText(*snapshot.time);
            for (std::size_t i = 0; i < found.size(); ++i) {
                if (!found[i] && isSameTime(m_space[*time], request.times[i], *snapshot.time)) {
                    found[i] = true;
                    deliver(i, std::move(snapshot));
                    return;
                }
            }
        });
        const auto lacks = std::find(found.begin(), found.end(), false);
        if (lacks != found.end())
            throw Error("the result lacks " + m_space[*time].name + " = "
                        + numberText(request.times[static_cast<std::size_t>(lacks - found.begin())])
                        + "; it has: " + there);
        return notes;
    }

    ParameterSpace m_space;
    CommandPlan m_plan;
    std::vector<std::string> m_names;
    RunnerOptions m_options;
    WorkFolder m_folders;
    std::shared_ptr<const Execution> m_execution;
    mutable std::mutex m_reading;
};

} // namespace

std::unique_ptr<const JobRunner> makeCommandRunner(const Plan &plan, const RunnerOptions &options)
{
    return std::make_unique<CommandRunner>(plan, options);
}

} // namespace gridhelm::data
