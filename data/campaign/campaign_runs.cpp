// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign_runs.h"

#include "core/support/error.h"
#include "data/campaign/desk_mark.h"
#include "data/campaign/run_on.h"
#include "data/campaign/run_token.h"
#include "data/study/run_space.h"
#include "data/study/storage_error.h"
#include "data/support/count_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

namespace gridhelm::data {

std::string unstorableLog(std::string log, std::string_view why)
{
    if (!log.empty() && log.back() != '\n')
        log += '\n';
    return log.append("gridhelm: ").append(why);
}

CampaignRuns::CampaignRuns(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
                           CampaignReport &report)
    : m_study(writer, options.fit)
    , m_runner(runner)
    , m_space(writer.description().space)
    , m_time(m_space.timeLike())
    , m_desk(runner.isLocal() ? std::string() : deskMark(writer))
    , m_what(runner.whatIsRun())
    , m_options(options)
    , m_report(report)
{
}

void inOneCommit(StudyWriter &writer, const std::function<void()> &work)
{
    auto transaction = writer.transaction();
    try {
        work();
    } catch (...) {
        // What was done before it is whole, each run as a transaction of its own.
        try {
            transaction.commit();
        } catch (const Error &) {
            // The file itself is what is wrong: who called is told that.
        }
        throw;
    }
    transaction.commit();
}

void work(ScheduledRuns &runs, std::size_t total, std::span<const AdoptedRun> adopted,
          StudyWriter &writer, JobRunner &runner, const CampaignOptions &options,
          CampaignReport &report)
{
    const NoHasteAfterwards afterwards{writer};
    // Now and then, while runs go on, what was finished is brought into the one file.
    auto watched = options;
    watched.cancelled = [&] {
        writer.settle();
        return options.cancelled && options.cancelled();
    };
    RunSchedule schedule(total, runs, runner, watched);
    for (const auto &[index, id] : adopted)
        schedule.adopt(index, id);
    report.cancelled = !schedule.work();
    report.goOn = schedule.left();
    report.notBegun = schedule.notBegun();
    report.stopped = report.stopped && schedule.isPaused();
    report.paused = schedule.isPaused() && !report.stopped;
}

void CampaignRuns::work(std::size_t total, std::span<const AdoptedRun> adopted)
{
    data::work(*this, total, adopted, m_study.writer, m_runner, m_options, m_report);
}

void CampaignRuns::noteBegun(std::size_t index)
{
    if (m_begun.size() <= index)
        m_begun.resize(index + 1);
    m_begun[index] = std::chrono::steady_clock::now();
}

void CampaignRuns::chooseHaste(std::size_t index, const RunStatus &status)
{
    m_report.areQuick = hasEnded(status.state) && isQuick(index, status);
    m_study.writer.setHasty(m_report.areQuick);
}

bool CampaignRuns::isQuick(std::size_t index, const RunStatus &status) const
{
    // The more run at a time, the more commits a second there would be to wait for.
    const std::chrono::duration<double> quick{std::min(0.1 * std::max(m_options.jobs, 1), 1.0)};
    if (!m_runner.isLocal() || index >= m_begun.size() || !m_begun[index])
        return false;
    return status.took.value_or(std::chrono::steady_clock::now() - *m_begun[index]) < quick;
}

void CampaignRuns::inOneCommit(const std::function<void()> &work)
{
    data::inOneCommit(m_study.writer, work);
}

bool CampaignRuns::mayBegin() const
{
    const bool isOver =
        m_options.beginUntil && std::chrono::steady_clock::now() >= *m_options.beginUntil;
    return !m_report.stopped && !isOver;
}

CampaignRuns::Tries &CampaignRuns::triesOf(std::size_t index)
{
    return m_tries[index];
}

std::string CampaignRuns::tokenOf(const std::string &name, RaisedLimits raised) const
{
    return newToken(name, raised, m_desk, m_what);
}

RaisedLimits CampaignRuns::raised(std::size_t index) const
{
    const auto found = m_tries.find(index);
    return found == m_tries.end() ? RaisedLimits() : found->second.raised;
}

std::string CampaignRuns::wholeLog(std::size_t index, const std::string &log) const
{
    const auto found = m_tries.find(index);
    return found == m_tries.end() ? log : found->second.log + log;
}

bool CampaignRuns::isRetried(std::size_t index, const RunStatus &status)
{
    if (status.state != RunState::failed || status.failedAt == RunLimit::none)
        return false;
    const auto next = m_runner.retry(raised(index), status.failedAt);
    if (!next)
        return false;
    auto &tries = triesOf(index);
    tries.log += "gridhelm: " + lastLine(status.log) + "\n(tried again with " + next->how + ")\n";
    tries.raised = next->raised;
    tries.isToBeginAgain = true;
    ++m_report.retried;
    return true;
}

bool CampaignRuns::isToBeginAgain(std::size_t index)
{
    const auto found = m_tries.find(index);
    return found != m_tries.end() && std::exchange(found->second.isToBeginAgain, false);
}

std::function<RunSnapshot(RunSnapshot)> CampaignRuns::preparation() const
{
    if (m_study.isScalar)
        return {};
    // A runner may outlive this; the writer outlives both.
    return [&writer = m_study.writer](RunSnapshot snapshot) {
        return SnapshotStore::packed(writer, std::move(snapshot));
    };
}

void CampaignRuns::noteSuccess()
{
    ++m_report.done;
    m_alike->succeed();
}

void CampaignRuns::noteFailure(JobId id, const std::string &name, const std::string &log)
{
    const auto failure = lastLine(log);
    if (m_report.failed++ == 0) {
        m_report.firstFailed = id;
        m_report.firstFailure = failureIn(log);
    }
    if (m_alike->fail(failure, name) && !m_options.keepGoing && !m_report.stopped) {
        m_report.stopped = true;
        m_report.firstFailed = id;
        m_report.firstFailure = failureIn(log);
    }
}

void CampaignRuns::say(const std::string &sentence) const
{
    if (m_options.say)
        m_options.say(sentence);
}

std::vector<AdoptedRun> SnapshotRuns::findElsewhere(std::size_t total)
{
    if (!m_runner.tellsTokens() || total == 0)
        return {};
    std::map<std::string, std::size_t> indices;
    for (std::size_t i = 0; i < total; ++i)
        indices.emplace(nameOf(i), i);
    std::vector<AdoptedRun> all; // there may be several tries of one
    std::vector<std::string> ids;
    for (const auto &token : m_runner.tokensThere(m_desk)) {
        const auto found = indices.find(partsOfToken(token).name);
        if (found == indices.end())
            continue;
        all.push_back({found->second, token});
        ids.push_back(token);
    }
    const auto statuses = ids.empty() ? std::vector<RunStatus>() : m_runner.poll(ids);
    // Those that have failed are to be run again, as are those of a command that the plan has no
    // more, of which nothing is wanted. Of others the one that is furthest.
    const auto rankOf = [](RunState state) {
        return state == RunState::finished ? 2 : state == RunState::running ? 1 : 0;
    };
    std::size_t ofAnotherCommand = 0;
    std::map<std::size_t, std::size_t> chosen; // of each run
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto state = statuses[i].state;
        if (!mayRunThis(partsOfToken(all[i].id), m_what)) {
            m_runner.release(all[i].id);
            ++ofAnotherCommand;
            continue;
        }
        if (hasEnded(state) && state != RunState::finished)
            continue;
        const auto [known, isNew] = chosen.try_emplace(all[i].index, i);
        if (!isNew && rankOf(statuses[known->second].state) < rankOf(state))
            known->second = i;
    }
    if (ofAnotherCommand > 0)
        say(fmt::format("{} of a command that the plan has no more {} given up on {}",
                        countText(ofAnotherCommand, "run"), ofAnotherCommand == 1 ? "is" : "are",
                        placeOf(m_runner)));
    std::vector<AdoptedRun> adopted;
    for (const auto &[index, i] : chosen) {
        setRaised(index, partsOfToken(all[i].id).raised);
        m_runner.adopt(all[i].id, requestOf(index));
        adopted.push_back(all[i]);
    }
    return adopted;
}

RunRequest SnapshotRuns::requestOf(std::size_t index)
{
    const auto &place = parametersOf(index);
    RunRequest request{nameOf(index), runValues(m_space, place), {}, preparation()};
    if (m_time)
        request.times = {place[*m_time]};
    request.raised = raised(index);
    if (m_snapshots.size() <= index)
        m_snapshots.resize(index + 1);
    m_snapshots[index].reset();
    return request;
}

std::optional<RunRequest> SnapshotRuns::begin(std::size_t index)
{
    auto request = requestOf(index);
    if (!m_runner.isLocal())
        request.token = tokenOf(request.name, request.raised);
    noteBegun(index);
    return request;
}

std::optional<RunResult> SnapshotRuns::advance(std::size_t index, const std::string &id,
                                               const RunStatus &polled, const std::stop_token &stop)
{
    chooseHaste(index, polled);
    auto status = polled;
    if (polled.state == RunState::finished || !hasEnded(polled.state))
        status = m_runner.collect(
            id,
            [&](std::size_t, RunSnapshot delivered) { m_snapshots[index] = std::move(delivered); },
            stop);
    if (!hasEnded(polled.state))
        return std::nullopt;
    auto snapshot = std::exchange(m_snapshots[index], std::nullopt);
    try {
        if (status.state == RunState::finished) {
            if (!snapshot)
                throw Error("the run has ended without results");
            store(index, std::move(*snapshot));
            noteSuccess();
            return RunResult::finished;
        }
    } catch (const StorageError &) {
        m_study.store.forget();
        throw;
    } catch (const Error &error) {
        m_study.store.forget();
        status.state = RunState::failed;
        status.log = unstorableLog(status.log, error.what());
    } catch (const std::bad_alloc &) {
        m_study.store.forget();
        status.state = RunState::failed;
        status.log = unstorableLog(status.log, "memory ran out; run fewer jobs at a time");
    }
    if (status.state != RunState::failed)
        return RunResult::cancelled;
    if (isRetried(index, status))
        return RunResult::failed;
    const auto log = wholeLog(index, status.log);
    noteFailure(fail(index, log), nameOf(index), log);
    return RunResult::failed;
}

} // namespace gridhelm::data
