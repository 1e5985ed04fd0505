// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/command_runner.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "data/campaign/child_process.h"
#include "data/campaign/execution.h"
#include "data/campaign/fill_template.h"
#include "data/campaign/local_runner.h"
#include "data/campaign/plan_file.h"
#include "data/campaign/result_file.h"
#include "data/campaign/template_files.h"
#include "data/campaign/work_folder.h"
#include "data/study/run_space.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
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

/// Of those codes that shells, and who starts programs for us, use by convention.
std::string meaningOf(int exitCode)
{
    if (exitCode == 126)
        return ", which means that it may not be executed; set its permissions (chmod +x)";
    if (exitCode == 127)
        return ", which means that there is no such program; correct the plan's command";
    return {};
}

/// What all runs of a plan share.
struct CommandOfPlan
{
    CommandOfPlan(const Plan &of, const RunnerOptions &with)
        : space(runSpaceOf(of.description.space))
        , plan(std::get<CommandPlan>(of.simulation))
        , names(of.fields)
        , options(with)
        , folders(fs::absolute(options.workFolder))
        , execution(executionFor(of, options))
    {
        folders.requireFolder();
    }

    ParameterSpace space;
    CommandPlan plan;
    std::vector<std::string> names;
    RunnerOptions options;
    WorkFolder folders;
    std::shared_ptr<const Execution> execution;
};

class CommandRun : public LocalRun
{
public:
    CommandRun(const CommandOfPlan &of, RunRequest request)
        : m_of(of)
        , m_request(std::move(request))
    {
    }

    ~CommandRun() override
    {
        if (m_folder) // nobody wants its results
            m_of.folders.remove(m_request.name);
    }

    RunResult run(const RunSink &, const std::stop_token &stop, const std::function<void(double)> &,
                  std::string &log) override
    {
        const auto result = guarded(log, [&] {
            m_folder.emplace(m_of.folders.begin(m_request.name));
            m_copies.emplace(*m_folder);
            return failure([&] { return execute(stop, log); });
        });
        if (result == RunResult::finished)
            log = validUtf8(log);
        return result;
    }

    RunResult collect(const RunSink &sink, const std::stop_token &stop, std::string &log) override
    {
        const auto result = guarded(log, [&] {
            return failure([&] {
                const auto &folder = m_folder->path();
                for (const auto &note : readResults(folder, placeholders(folder), sink, stop))
                    addLine(log, note + "\n");
                return std::optional<std::string>();
            });
        });
        if (result != RunResult::finished)
            return result;
        if (m_of.options.keepFolders)
            m_of.folders.keep(m_request.name);
        else
            m_of.folders.remove(m_request.name);
        m_folder.reset();
        log = validUtf8(log); // names from results may be anything
        return result;
    }

private:
    /// What `step` says goes wrong, or throws, is the run's failure.
    template <typename Step>
    RunResult guarded(std::string &log, Step step)
    {
        try {
            const auto failure = step();
            if (!failure)
                return RunResult::finished;
            if (m_of.folders.isDiskFull())
                throw StorageError("A job failed (" + *failure + "), and the disk of "
                                   + m_of.folders.path().string()
                                   + " is full; free some space, then run again");
            addLine(log, "gridhelm: " + *failure);
            m_copies->remove();
            m_of.folders.keep(m_request.name);
            addLine(log, "(its folder is kept: " + m_folder->path().string() + ")");
            m_folder.reset();
            log = validUtf8(log);
            return RunResult::failed;
        } catch (const Stopped &) {
            removeFolder();
            return RunResult::cancelled;
        } catch (const StorageError &) {
            removeFolder();
            throw;
        } catch (const Error &error) {
            addLine(log, std::string("gridhelm: ") + error.what());
            return RunResult::failed;
        }
    }

    void removeFolder()
    {
        m_of.folders.remove(m_request.name);
        m_folder.reset();
    }

    /// What `step` returns; also what it throws, as a sentence. Throws Stopped, and StorageError.
    template <typename Step>
    static std::optional<std::string> failure(Step step)
    {
        try {
            return step();
        } catch (const StorageError &) {
            throw;
        } catch (const Error &error) {
            return error.what();
        } catch (const fs::filesystem_error &error) {
            return std::string("the job's folder cannot be read (") + error.what() + ")";
        }
    }

    /// Why the command failed; nothing if it went well.
    std::optional<std::string> execute(const std::stop_token &stop, std::string &log)
    {
        const auto &folder = m_folder->path();
        const auto values = placeholders(folder);
        m_copies->copy(m_of.execution->templates, values);
        auto outcome = runChild(childRequest(folder, values), stop);
        log = std::move(outcome.log);
        if (outcome.end == ChildOutcome::End::stopped)
            throw Stopped();
        if (auto sentence = this->sentence(outcome); !sentence.empty())
            return sentence;
        return std::nullopt;
    }

    PlaceholderValues placeholders(const fs::path &folder) const
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

    ChildRequest childRequest(const fs::path &folder, const PlaceholderValues &values) const
    {
        ChildRequest child;
        if (m_of.plan.shell) {
            child.arguments = {"/bin/sh", "-c",
                               fillShellTemplate(m_of.plan.arguments.front(), values)};
        } else {
            for (const auto &argument : m_of.plan.arguments) {
                if (argument == timesPlaceholder && m_of.space.timeLike()) {
                    for (double time : m_request.times)
                        child.arguments.push_back(numberText(time));
                } else {
                    child.arguments.push_back(fillTemplate(argument, values));
                }
            }
        }
        child.folder = folder;
        child.log = folder / logName;
        child.timeLimit = m_of.plan.timeLimit;
        child.patience = m_of.options.patience;
        child.environment = {{"GRIDHELM_JOB", m_request.name}, {"GRIDHELM_DIR", folder.string()}};
        for (const auto &[name, value] : m_of.plan.environment)
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
            return "the command ran longer than its time limit of "
                   + numberText(m_of.plan.timeLimit)
                   + " s and was ended; raise the plan's time-limit if that is too short";
        case ChildOutcome::End::stopped:
            break;
        }
        return {};
    }

    /// `time`: if the result's name has one.
    fs::path resultIn(const fs::path &folder, const PlaceholderValues &values,
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

    /// Hands one snapshot for each wanted time over, or one, and returns notes about what was left
    /// out of them.
    std::set<std::string> readResults(const fs::path &folder, PlaceholderValues values,
                                      const RunSink &sink, const std::stop_token &stop) const
    {
        std::set<std::string> notes;
        const auto deliver = [&](std::size_t index, RunSnapshot snapshot) {
            for (auto &note : snapshot.notes)
                notes.insert("note: " + note);
            sink(index, keepFields(std::move(snapshot), m_of.names));
        };
        const auto read = [&](const fs::path &file, const std::function<void(RunSnapshot)> &take) {
            m_of.options.reader(
                file,
                [&](RunSnapshot snapshot) {
                    if (stop.stop_requested())
                        throw Stopped();
                    take(std::move(snapshot));
                },
                stop);
        };
        const auto time = m_of.space.timeLike();
        if (!time
            || m_of.plan.result.find("{" + m_of.space[*time].name + "}") != std::string::npos) {
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
                if (!found[i]
                    && isSameTime(m_of.space[*time], m_request.times[i], *snapshot.time)) {
                    found[i] = true;
                    deliver(i, std::move(snapshot));
                    return;
                }
            }
        });
        const auto lacks = std::find(found.begin(), found.end(), false);
        if (lacks != found.end())
            throw Error(
                "the result lacks " + m_of.space[*time].name + " = "
                + numberText(m_request.times[static_cast<std::size_t>(lacks - found.begin())])
                + ", and has " + there
                + "; let the command write those that it is given as {times}, or let the plan "
                  "say how many evenly spaced ones there are (times = 17, say)");
        return notes;
    }

    const CommandOfPlan &m_of;
    RunRequest m_request;
    std::optional<JobFolder> m_folder; ///< while it is the run's own
    std::optional<TemplateCopies> m_copies;
};

std::unique_ptr<JobRunner> makeRunner(const Plan &plan, const RunnerOptions &options)
{
    const auto of = std::make_shared<const CommandOfPlan>(plan, options);
    return std::make_unique<LocalRunner>(
        [of](const RunRequest &request) { return std::make_unique<CommandRun>(*of, request); });
}

} // namespace

const RunnerType &commandRunner()
{
    static const RunnerType type{
        "local",
        "a command, on this machine",
        {},
        [](const Plan &plan) { return std::holds_alternative<CommandPlan>(plan.simulation); },
        makeRunner};
    return type;
}

} // namespace gridhelm::data
