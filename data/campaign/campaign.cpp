// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign.h"

#include "core/support/error.h"
#include "data/campaign/alike_failures.h"
#include "data/campaign/job_delivery.h"
#include "data/campaign/run_schedule.h"
#include "data/campaign/submitted_jobs.h"
#include "data/study/run_space.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <utility>

namespace gridhelm::data {

namespace {

/// The runs of a campaign: what they were, and what came of them.
class CampaignRuns : public ScheduledRuns
{
public:
    CampaignRuns(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
                 CampaignReport &report)
        : m_study(writer, options.fit)
        , m_runner(runner)
        , m_space(writer.description().space)
        , m_time(m_space.timeLike())
        , m_options(options)
        , m_report(report)
    {
    }

    void work(std::size_t total, std::span<const AdoptedRun> adopted = {})
    {
        // Now and then, while runs go on, what was finished is brought into the one file.
        auto watched = m_options;
        watched.cancelled = [&] {
            m_study.writer.settle();
            return m_options.cancelled && m_options.cancelled();
        };
        RunSchedule schedule(total, *this, m_runner, watched);
        for (const auto &[index, id] : adopted)
            schedule.adopt(index, id);
        m_beginNoMore = [&schedule] { schedule.beginNoMore(); };
        m_report.cancelled = !schedule.work();
        m_report.notBegun = schedule.notBegun();
        m_report.stopped = m_report.stopped && schedule.isPaused();
        m_report.paused = schedule.isPaused() && !m_report.stopped;
    }

protected:
    /// Packs snapshots while nobody waits for it; those of scalar studies are not stored.
    std::function<RunSnapshot(RunSnapshot)> preparation() const
    {
        if (m_study.isScalar)
            return {};
        // A runner may outlive this; the writer outlives both.
        return [&writer = m_study.writer](RunSnapshot snapshot) {
            return SnapshotStore::packed(writer, std::move(snapshot));
        };
    }

    void noteSuccess()
    {
        ++m_report.done;
        m_alike.succeed();
    }

    void noteFailure(JobId id, const std::string &name, const std::string &log)
    {
        const auto failure = lastLine(log);
        if (m_report.failed++ == 0) {
            m_report.firstFailed = id;
            m_report.firstFailure = failure;
        }
        if (m_alike.fail(failure, name) && !m_options.keepGoing && !m_report.stopped) {
            m_report.stopped = true;
            m_report.firstFailed = id;
            m_report.firstFailure = failure;
            m_beginNoMore();
        }
    }

    CampaignStudy m_study;
    JobRunner &m_runner;
    const ParameterSpace m_space; ///< the writer's own moves when fields are added
    std::optional<std::size_t> m_time;

private:
    const CampaignOptions &m_options;
    CampaignReport &m_report;
    std::function<void()> m_beginNoMore;
    AlikeFailures m_alike;
};

class JobRuns : public CampaignRuns
{
public:
    JobRuns(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
            std::vector<Job> jobs, CampaignReport &report)
        : CampaignRuns(writer, runner, options, report)
        , m_jobs(std::move(jobs))
        , m_deliveries(m_jobs.size())
        , m_tokens(m_jobs.size())
        , m_there(writer.pointsWithSnapshots())
    {
    }

    /// Marks the job as running, and says what it is to do.
    std::optional<RunRequest> begin(std::size_t index) override
    {
        auto request = prepared(index);
        const auto id = m_jobs[index].id;
        auto &writer = m_study.writer;
        if (m_deliveries[index]->isEmpty()) {
            writer.startJob(id);
            return std::nullopt;
        }
        auto transaction = writer.transaction();
        writer.startJob(id);
        if (!m_runner.isLocal()) {
            request.token = newToken(request.name);
            writer.putSubmission(id, m_runner.name(), request.token);
        }
        transaction.commit();
        m_tokens[index] = request.token;
        return request;
    }

    /// The job was begun by an earlier campaign, and goes on elsewhere.
    void adopt(const AdoptedRun &run) { m_runner.adopt(run.id, prepared(run.index)); }

    void submitted(std::span<const std::size_t> indices, std::span<const std::string> ids) override
    {
        if (m_runner.isLocal())
            return;
        auto transaction = m_study.writer.transaction();
        for (std::size_t i = 0; i < indices.size(); ++i) {
            if (ids[i] != m_tokens[indices[i]])
                m_study.writer.putSubmission(m_jobs[indices[i]].id, m_runner.name(), ids[i]);
        }
        transaction.commit();
    }

    std::optional<RunResult> advance(std::size_t index, const std::string &id,
                                     const RunStatus &polled, const std::stop_token &stop) override
    {
        auto &delivery = *m_deliveries[index];
        auto status = polled;
        try {
            const bool isAtItsEnd = polled.state == RunState::finished;
            const bool isToCollect = isAtItsEnd || !hasEnded(polled.state);
            if (isToCollect && !delivery.isEmpty())
                status = m_runner.collect(
                    id,
                    [&](std::size_t time, RunSnapshot snapshot) {
                        delivery.take(time, std::move(snapshot), isAtItsEnd);
                    },
                    stop);
            if (!hasEnded(polled.state))
                return std::nullopt; // if it has ended since, the next time
            if (status.state == RunState::finished) {
                delivery.finish(status.log);
                noteSuccess();
                m_deliveries[index].reset();
                return RunResult::finished;
            }
        } catch (const StorageError &) {
            putBack(delivery);
            throw;
        } catch (const Error &error) {
            // Its results do not fit the study; if it is the file, failJob() throws as well.
            status.log += (status.log.empty() || status.log.back() == '\n' ? "" : "\n")
                          + std::string("gridhelm: the results cannot be stored: ") + error.what();
            status.state = RunState::failed;
        } catch (const std::bad_alloc &) {
            status.log += "\ngridhelm: memory ran out; run fewer jobs at a time";
            status.state = RunState::failed;
        } catch (...) {
            putBack(delivery);
            throw;
        }
        return endUnfinished(index, status);
    }

    void giveUp(std::size_t index) override
    {
        if (m_deliveries[index] && !mayRun(m_runner, m_tokens[index]))
            putBack(*m_deliveries[index]);
    }

private:
    /// What the run has to deliver; what it delivers can be taken from now on.
    RunRequest prepared(std::size_t index)
    {
        const auto &job = m_jobs[index];
        RunRequest request{runNameOf(job.id), {}, {}, preparation()};
        std::map<double, Moment> momentAt;
        bool isAllThere = true;
        for (std::size_t i = 0; i < job.points.size(); ++i) {
            const auto values = m_space.valuesAt(*m_study.writer.grid(), job.points[i]);
            request.parameters = runValues(m_space, values);
            const bool isThere = !m_study.isScalar && m_there[job.points[i]];
            isAllThere = isAllThere && isThere;
            // Elsewhere, a run delivers the same whoever asks for it: some of it may have been
            // stored since it was submitted.
            if (isThere && m_runner.isLocal())
                continue;
            auto &moment = momentAt[m_time ? values[*m_time] : 0];
            moment.isThere = isThere;
            moment.positions.push_back(i);
            moment.places.push_back(placeOf(m_space, values));
        }
        std::vector<Moment> moments;
        for (auto &[time, moment] : momentAt) {
            moments.push_back(std::move(moment));
            if (m_time)
                request.times.push_back(time);
        }
        if (isAllThere)
            moments.clear();
        m_deliveries[index] = std::make_unique<JobDelivery>(m_study, job, std::move(moments));
        return request;
    }

    RunResult endUnfinished(std::size_t index, const RunStatus &status)
    {
        const auto &job = m_jobs[index];
        m_deliveries[index]->abandon();
        m_deliveries[index].reset();
        m_study.store.forget();
        if (status.state != RunState::failed) {
            m_study.writer.resetJob(job.id);
            return RunResult::cancelled;
        }
        m_study.writer.failJob(job.id, status.log);
        noteFailure(job.id, runNameOf(job.id), status.log);
        return RunResult::failed;
    }

    /// The disk is full, say, which is no fault of the job's: it waits for room.
    void putBack(JobDelivery &delivery)
    {
        delivery.abandon();
        m_study.store.forget();
        try {
            m_study.writer.resetJob(delivery.job().id);
        } catch (const Error &) {
            // No room even for that: who opens the study next finds that nobody runs the job.
        }
    }

    std::vector<Job> m_jobs;
    std::vector<std::unique_ptr<JobDelivery>> m_deliveries; ///< of those that have been begun
    std::vector<std::string> m_tokens;                      ///< likewise, if they run elsewhere
    std::vector<bool> m_there; ///< points whose snapshots an interrupted job has left
};

class HoldOutRuns : public CampaignRuns
{
public:
    /// `places`: for each run the parameters that its one snapshot delivers, which differ in space
    /// at most.
    HoldOutRuns(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
                std::vector<std::vector<std::vector<double>>> places, CampaignReport &report)
        : CampaignRuns(writer, runner, options, report)
        , m_places(std::move(places))
        , m_snapshots(m_places.size())
    {
    }

    std::optional<RunRequest> begin(std::size_t index) override
    {
        const auto &place = m_places[index].front();
        RunRequest request{nameOf(index), runValues(m_space, place), {}, preparation()};
        if (m_time)
            request.times = {place[*m_time]};
        if (!m_runner.isLocal())
            request.token = newToken(request.name);
        return request;
    }

    std::optional<RunResult> advance(std::size_t index, const std::string &id,
                                     const RunStatus &polled, const std::stop_token &stop) override
    {
        auto &snapshot = m_snapshots[index];
        auto status = polled;
        if (polled.state == RunState::finished || !hasEnded(polled.state))
            status = m_runner.collect(
                id, [&](std::size_t, RunSnapshot delivered) { snapshot = std::move(delivered); },
                stop);
        if (!hasEnded(polled.state))
            return std::nullopt;
        try {
            if (status.state == RunState::finished && snapshot) {
                auto delivered = std::move(*snapshot);
                snapshot.reset();
                store(m_places[index], std::move(delivered));
                noteSuccess();
                return RunResult::finished;
            }
        } catch (const StorageError &) {
            m_study.store.forget();
            throw;
        } catch (const Error &error) {
            m_study.store.forget();
            status = {RunState::failed};
            status.log = error.what();
        }
        snapshot.reset();
        if (status.state == RunState::failed) {
            noteFailure(0, nameOf(index), status.log);
            return RunResult::failed;
        }
        return status.state == RunState::finished ? RunResult::finished : RunResult::cancelled;
    }

private:
    static std::string nameOf(std::size_t index) { return "holdout-" + std::to_string(index + 1); }

    void store(const std::vector<std::vector<double>> &places, RunSnapshot snapshot)
    {
        auto transaction = m_study.writer.transaction();
        if (m_study.isScalar)
            storeSampledHoldOuts(m_study.writer, places, snapshot);
        else
            m_study.store.putHoldOut(places.front(), std::move(snapshot));
        transaction.commit();
    }

    std::vector<std::vector<std::vector<double>>> m_places;
    std::vector<std::optional<RunSnapshot>> m_snapshots;
};

/// Of the job that alone was asked for.
void requireToBeRun(const Job &job, const FoundSubmissions &elsewhere)
{
    const auto number = "Job " + std::to_string(job.id);
    if (job.state == JobState::done)
        throw Error(number
                    + " is done already, and done jobs are never run again; choose one "
                      "that failed or is waiting (info --jobs)");
    if (const auto found = elsewhere.ofOthers.find(job.id); found != elsewhere.ofOthers.end())
        throw Error(number + " runs elsewhere, with '" + found->second
                    + "', which the study's plan names no more; let its [run] be on = \""
                    + found->second + "\" until that has ended");
}

} // namespace

CampaignReport runCampaign(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options)
{
    CampaignReport report;
    report.recovered = writer.resetRunningJobs();
    const auto elsewhere = findSubmissions(writer, runner);
    report.recovered += elsewhere.lost;
    report.elsewhere = elsewhere.ofOthers.size();
    std::vector<Job> jobs;
    std::vector<AdoptedRun> adopted;
    bool known = false;
    for (auto &job : writer.jobs()) {
        if (options.only && job.id != *options.only)
            continue;
        known = true;
        if (job.state == JobState::failed && (options.retryFailed || options.only)) {
            writer.resetJob(job.id);
            job.state = JobState::waiting;
        }
        if (const auto found = elsewhere.toAdopt.find(job.id); found != elsewhere.toAdopt.end())
            adopted.push_back({jobs.size(), found->second});
        else if (options.only)
            requireToBeRun(job, elsewhere);
        if (job.state == JobState::waiting || elsewhere.toAdopt.contains(job.id))
            jobs.push_back(std::move(job));
    }
    if (options.only && !known)
        throw Error("There is no job " + std::to_string(*options.only)
                    + " in this study; list them with: gridhelm-cli info STUDY --jobs");
    const auto total = jobs.size();
    report.adopted = adopted.size();
    JobRuns runs(writer, runner, options, std::move(jobs), report);
    for (const auto &run : adopted)
        runs.adopt(run);
    runs.work(total, adopted);
    for (const auto &job : writer.jobs())
        report.waiting += job.state == JobState::waiting ? 1 : 0;
    return report;
}

CampaignReport runHoldOuts(StudyWriter &writer, JobRunner &runner,
                           std::span<const std::vector<double>> parameters,
                           const CampaignOptions &options)
{
    const auto &space = writer.description().space;
    std::set<std::vector<double>> there;
    for (auto &holdOut : writer.holdOuts())
        there.insert(std::move(holdOut.parameters));
    // One list for each run, in the order of `parameters`.
    std::vector<std::vector<std::vector<double>>> wanted;
    std::map<std::vector<double>, std::size_t> runOf;
    for (const auto &values : parameters) {
        if (!there.insert(values).second)
            continue;
        const auto [run, isNew] = runOf.try_emplace(runValues(space, values), wanted.size());
        if (isNew)
            wanted.emplace_back();
        wanted[run->second].push_back(values);
    }
    CampaignReport report;
    const auto total = wanted.size();
    HoldOutRuns(writer, runner, options, std::move(wanted), report).work(total);
    return report;
}

std::filesystem::path workFolderOf(const std::filesystem::path &study)
{
    auto folder = study;
    folder += ".jobs";
    return folder;
}

} // namespace gridhelm::data
