// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/job_runs.h"

#include "core/support/error.h"
#include "data/campaign/run_token.h"
#include "data/study/run_space.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <new>
#include <utility>

namespace gridhelm::data {

JobRuns::JobRuns(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
                 std::vector<Job> jobs, CampaignReport &report)
    : CampaignRuns(writer, runner, options, report)
    , m_jobs(std::move(jobs))
    , m_deliveries(m_jobs.size())
    , m_tokens(m_jobs.size())
    , m_there(writer.pointsWithSnapshots())
{
}

std::optional<RunRequest> JobRuns::begin(std::size_t index)
{
    if (raised(index).total() > 0) // what its last try has left
        m_there = m_study.writer.pointsWithSnapshots();
    auto request = prepared(index);
    const auto id = m_jobs[index].id;
    auto &writer = m_study.writer;
    request.raised = raised(index);
    auto transaction = writer.transaction();
    if (request.raised.total() > 0)
        writer.resetJob(id); // its next try is remembered as one elsewhere: see endUnfinished()
    writer.startJob(id);
    if (m_deliveries[index]->isEmpty()) {
        transaction.commit();
        return std::nullopt;
    }
    if (!m_runner.isLocal()) {
        request.token = tokenOf(request.name, request.raised);
        writer.putSubmission(id, m_runner.name(), request.token);
    }
    transaction.commit();
    m_tokens[index] = request.token;
    noteBegun(index);
    return request;
}

void JobRuns::adopt(const AdoptedRun &run)
{
    setRaised(run.index, partsOfToken(run.id).raised);
    auto request = prepared(run.index);
    request.raised = raised(run.index);
    m_runner.adopt(run.id, request);
}

void JobRuns::submitted(std::span<const std::size_t> indices, std::span<const std::string> ids)
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

/// In the study, who looks at its jobs sees which are queued.
void JobRuns::noteRunning(std::span<const std::size_t> indices)
{
    if (m_runner.isLocal() || indices.empty())
        return;
    auto transaction = m_study.writer.transaction();
    for (const auto index : indices)
        m_study.writer.noteBegunElsewhere(m_jobs[index].id);
    transaction.commit();
}

std::optional<RunResult> JobRuns::advance(std::size_t index, const std::string &id,
                                          const RunStatus &polled, const std::stop_token &stop)
{
    auto &delivery = *m_deliveries[index];
    chooseHaste(index, polled);
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
            delivery.finish(wholeLog(index, status.log));
            noteSuccess();
            m_deliveries[index].reset();
            return RunResult::finished;
        }
    } catch (const StorageError &) {
        putBack(delivery);
        throw;
    } catch (const Error &error) {
        // Its results do not fit the study; if it is the file, failJob() throws as well.
        status.log =
            unstorableLog(status.log, std::string("the results cannot be stored: ") + error.what());
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

void JobRuns::giveUp(std::size_t index)
{
    if (!m_deliveries[index])
        return;
    if (raised(index).total() == 0 || m_runner.isLocal()) {
        putBack(*m_deliveries[index]);
        return;
    }
    // The study's lost token says how often its limits were raised.
    m_deliveries[index]->abandon();
    m_study.store.forget();
}

std::size_t JobRuns::takeNewJobs()
{
    m_there = m_study.writer.pointsWithSnapshots();
    auto jobs = m_study.writer.jobs();
    std::map<JobId, std::size_t> indices;
    for (std::size_t i = 0; i < m_jobs.size(); ++i)
        indices[m_jobs[i].id] = i;
    const auto before = m_jobs.size();
    for (auto &job : jobs) {
        const auto known = indices.find(job.id);
        if (known == indices.end()) {
            if (job.state == JobState::waiting)
                m_jobs.push_back(std::move(job));
            continue;
        }
        if (const auto &delivery = m_deliveries[known->second]) {
            std::vector<double> parameters;
            std::map<double, std::size_t> positionAt;
            for (const auto &[time, moment] : momentsOf(job, parameters))
                positionAt[time] = moment.positions.front();
            delivery->renumber(job, positionAt);
        }
        m_jobs[known->second] = std::move(job);
    }
    m_deliveries.resize(m_jobs.size());
    m_tokens.resize(m_jobs.size());
    return m_jobs.size() - before;
}

/// By time; `parameters`: of the run.
std::map<double, Moment> JobRuns::momentsOf(const Job &job, std::vector<double> &parameters) const
{
    std::map<double, Moment> moments;
    for (std::size_t i = 0; i < job.points.size(); ++i) {
        const auto values = m_space.valuesAt(*m_study.writer.grid(), job.points[i]);
        parameters = runValues(m_space, values);
        const double time = m_time ? values[*m_time] : 0;
        auto &moment = moments[time];
        moment.isThere = !m_study.isScalar && m_there[job.points[i]];
        moment.time = time;
        moment.positions.push_back(i);
        moment.places.push_back(placeOf(m_space, values));
    }
    return moments;
}

/// What the run has to deliver; what it delivers can be taken from now on.
RunRequest JobRuns::prepared(std::size_t index)
{
    const auto &job = m_jobs[index];
    RunRequest request{runNameOf(job.id), {}, {}, preparation()};
    std::vector<Moment> moments;
    bool isAllThere = true;
    auto there = momentsOf(job, request.parameters);
    for (auto &[time, moment] : there) {
        isAllThere = isAllThere && moment.isThere;
        // Elsewhere, a run delivers the same whoever asks for it: some of it may have been stored
        // since it was submitted.
        if (moment.isThere && m_runner.isLocal())
            continue;
        moments.push_back(std::move(moment));
        if (m_time)
            request.times.push_back(time);
    }
    if (isAllThere)
        moments.clear();
    m_deliveries[index] = std::make_unique<JobDelivery>(m_study, job, std::move(moments));
    return request;
}

RunResult JobRuns::endUnfinished(std::size_t index, const RunStatus &status)
{
    const auto &job = m_jobs[index];
    m_deliveries[index]->abandon();
    m_deliveries[index].reset();
    m_study.store.forget();
    // A token that nobody has been told of: who comes next finds it lost, and with it how often the
    // limits were raised.
    const auto rememberRaised = [&] {
        m_study.writer.putSubmission(job.id, m_runner.name(),
                                     tokenOf(runNameOf(job.id), raised(index)));
    };
    if (status.state != RunState::failed) {
        if (raised(index).total() > 0 && !m_runner.isLocal())
            rememberRaised();
        else
            m_study.writer.resetJob(job.id);
        return RunResult::cancelled;
    }
    if (isRetried(index, status)) {
        if (!m_runner.isLocal())
            rememberRaised();
        return RunResult::failed;
    }
    const auto log = wholeLog(index, status.log);
    m_study.writer.failJob(job.id, log);
    noteFailure(job.id, runNameOf(job.id), log);
    return RunResult::failed;
}

/// The disk is full, say, which is no fault of the job's: it waits for room.
void JobRuns::putBack(JobDelivery &delivery)
{
    delivery.abandon();
    m_study.store.forget();
    try {
        m_study.writer.resetJob(delivery.job().id);
    } catch (const Error &) {
        // No room even for that: who opens the study next finds that nobody runs the job.
    }
}

} // namespace gridhelm::data
