// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign.h"

#include "core/support/error.h"
#include "data/campaign/campaign_runs.h"
#include "data/study/run_space.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <utility>

namespace gridhelm::data {

namespace {

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
            status.log = unstorableLog(status.log, std::string("the results cannot be stored: ")
                                                       + error.what());
            status.state = RunState::failed;
        } catch (const std::bad_alloc &) {
            status.log = unstorableLog(status.log, "memory ran out; run fewer jobs at a time");
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

std::filesystem::path workFolderOf(const std::filesystem::path &study)
{
    auto folder = study;
    folder += ".jobs";
    return folder;
}

} // namespace gridhelm::data
