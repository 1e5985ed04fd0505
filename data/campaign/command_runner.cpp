// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/command_runner.h"

#include "core/support/bytes_text.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "data/campaign/child_process.h"
#include "data/campaign/command_job.h"
#include "data/campaign/local_limits.h"
#include "data/campaign/local_runner.h"
#include "data/campaign/template_files.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::data {

namespace {

namespace fs = std::filesystem;

constexpr const char *logName = "gridhelm.log";

/// Ctrl-C while results are read.
using Stopped = ReadingStopped;

struct LimitedCommand
{
    LimitedCommand(const Plan &plan, const RunnerOptions &options)
        : of(plan, options)
        , limits(localLimits(of.execution->run))
    {
    }

    CommandOfPlan of;
    LocalLimits limits;
    CoreShare cores;
};

struct TakenCores
{
    CoreShare &share;
    std::vector<int> cores;
    ~TakenCores() { share.giveBack(cores); }
};

class CommandRun : public LocalRun
{
public:
    CommandRun(LimitedCommand &limited, RunRequest request)
        : m_limited(limited)
        , m_of(limited.of)
        , m_job(m_of, std::move(request))
    {
    }

    ~CommandRun() override
    {
        if (m_folder) // nobody wants its results
            m_of.folders.remove(m_job.request().name);
    }

    RunResult run(const RunSink &, const std::stop_token &stop, const std::function<void(double)> &,
                  std::string &log) override
    {
        const auto result = guarded(log, [&] {
            m_folder.emplace(m_of.folders.begin(m_job.request().name));
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
                for (const auto &note : m_job.readResults(
                         folder, [this](const fs::path &file) { return isOld(file); }, sink, stop))
                    addLogLine(log, note + "\n");
                return std::optional<std::string>();
            });
        });
        if (result != RunResult::finished)
            return result;
        if (m_of.options.keepFolders)
            m_of.folders.keep(m_job.request().name);
        else
            m_of.folders.remove(m_job.request().name);
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
            addLogLine(log, "gridhelm: " + *failure);
            m_copies->remove();
            m_of.folders.keep(m_job.request().name);
            addLogLine(log, "(its folder is kept: " + m_folder->path().string() + ")");
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
            addLogLine(log, std::string("gridhelm: ") + error.what());
            return RunResult::failed;
        }
    }

    bool isOld(const fs::path &file) const
    {
        constexpr std::chrono::seconds otherClock(2); // of a file server, say
        if (m_copies->isUnchanged(file))
            return true;
        std::error_code failed;
        const auto inside =
            fs::canonical(file, failed).lexically_relative(fs::canonical(m_folder->path(), failed));
        const bool isOutside = inside.empty() || *inside.begin() == "..";
        return isOutside && fs::last_write_time(file, failed) < m_begin - otherClock;
    }

    void removeFolder()
    {
        m_of.folders.remove(m_job.request().name);
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
        const auto values = m_job.placeholders(folder);
        m_copies->copy(m_of.execution->templates, values);
        m_begin = fs::file_time_type::clock::now();
        const TakenCores taken{m_limited.cores, m_limited.cores.take(m_limited.limits.cores)};
        auto child = childRequest(folder, values);
        child.cores = taken.cores;
        auto outcome = runChild(child, stop);
        log = std::move(outcome.log);
        if (outcome.end == ChildOutcome::End::stopped)
            throw Stopped();
        if (auto sentence = this->sentence(outcome); !sentence.empty())
            return sentence;
        return std::nullopt;
    }

    ChildRequest childRequest(const fs::path &folder, const PlaceholderValues &values) const
    {
        ChildRequest child;
        child.arguments = m_job.arguments(values);
        child.folder = folder;
        child.log = folder / logName;
        child.timeLimit = m_of.plan.timeLimit;
        child.patience = m_of.options.patience;
        child.memoryLimit = m_limited.limits.memory;
        child.environment = m_job.environment(folder, values);
        const std::string threads = "OMP_NUM_THREADS";
        const bool isSaid = std::ranges::any_of(
            child.environment, [&](const auto &variable) { return variable.first == threads; });
        if (m_limited.limits.cores > 0 && !isSaid)
            child.environment.emplace_back(threads, std::to_string(m_limited.limits.cores));
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
        case ChildOutcome::End::outOfMemory:
            return "the command, with all that it had started, needed more memory than [run] "
                   "memory allows ("
                   + bytesText(static_cast<double>(m_limited.limits.memory))
                   + ") and was ended; raise that, or run fewer jobs at a time without it";
        case ChildOutcome::End::stopped:
            break;
        }
        return {};
    }

    LimitedCommand &m_limited;
    const CommandOfPlan &m_of;
    CommandJob m_job;
    std::optional<JobFolder> m_folder; ///< while it is the run's own
    std::optional<TemplateCopies> m_copies;
    fs::file_time_type m_begin; ///< of the command
};

std::unique_ptr<JobRunner> makeCommandRunner(const Plan &plan, const RunnerOptions &options)
{
    const auto of = std::make_shared<LimitedCommand>(plan, options);
    return std::make_unique<LocalRunner>(
        [of](const RunRequest &request) { return std::make_unique<CommandRun>(*of, request); });
}

} // namespace

const RunnerType &commandRunner()
{
    static const RunnerType type{
        "local", "a command, on this machine", localOptions(),
        [](const Plan &plan) { return std::holds_alternative<CommandPlan>(plan.simulation); },
        makeCommandRunner};
    return type;
}

} // namespace gridhelm::data
