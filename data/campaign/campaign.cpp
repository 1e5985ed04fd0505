// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign.h"

#include "core/support/error.h"
#include "data/campaign/run_pool.h"
#include "data/campaign/sampled_job.h"
#include "data/campaign/store_snapshot.h"
#include "data/study/run_space.h"
#include "data/study/storage_error.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <string_view>
#include <utility>

namespace gridhelm::data {

namespace {

/// Of snapshots that wait in memory for the end of their job.
constexpr std::size_t largestBatch = std::size_t{256} << 20;

/// What is left of a failure without the numbers in it, and without the job's folder: those of two
/// jobs differ even if the same is wrong with them. An exit code says what is wrong.
std::string kindOf(std::string failure, const std::string &name)
{
    for (auto at = failure.find(name); at != failure.npos; at = failure.find(name, at))
        failure.replace(at, name.size(), "{}");
    std::string kind;
    for (std::size_t at = 0; at < failure.size(); ++at) {
        if (failure[at] < '0' || failure[at] > '9') {
            kind += failure[at];
            continue;
        }
        const auto end = std::min(failure.find_first_not_of("0123456789.eE+-", at), failure.size());
        kind += kind.ends_with("exit code ") ? failure.substr(at, end - at) : "#";
        at = end - 1;
    }
    return kind;
}

/// Whether nothing but one failure has been seen.
class AlikeFailures
{
public:
    void succeed() { m_isOver = true; }

    /// True once so many have failed alike, one after the other.
    bool fail(const std::string &failure, const std::string &name)
    {
        auto kind = kindOf(failure, name);
        m_count = kind == m_kind ? m_count + 1 : 1;
        m_kind = std::move(kind);
        return !m_isOver && m_count >= failuresToStop;
    }

private:
    std::string m_kind;
    int m_count = 0;
    bool m_isOver = false; ///< something went well: it is worth going on
};

std::string lastLine(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    for (const std::string note : {"\n(its folder is kept: "}) {
        if (const auto at = text.rfind(note); at != std::string::npos)
            text.resize(at);
    }
    if (const auto at = text.rfind('\n'); at != std::string::npos)
        text.erase(0, at + 1);
    constexpr std::string_view ours = "gridhelm: "; // in a log, beside what the command says
    return text.starts_with(ours) ? text.substr(ours.size()) : text;
}

/// The writer, shared by the threads of a campaign.
class Campaign
{
public:
    Campaign(StudyWriter &writer, const JobRunner &runner, const CampaignOptions &options)
        : m_writer(writer)
        , m_runner(runner)
        , m_keepGoing(options.keepGoing)
        , m_store(writer, options.fit)
        , m_space(writer.description().space)
        , m_time(m_space.timeLike())
        , m_isScalar(writer.description().kind == StudyKind::scalar)
        , m_there(writer.pointsWithSnapshots())
    {
    }

    RunResult runJob(const Job &job, const std::stop_token &stop,
                     const std::function<void(double)> &progress, CampaignReport &report)
    {
        RunRequest request{"job-" + std::to_string(job.id), {}, {}};
        const auto moments = begin(job, request);
        std::string log;
        auto result = RunResult::finished;
        std::unique_lock lock(m_mutex, std::defer_lock);
        try {
            Delivery delivery(*this, job, lock);
            if (!moments.empty())
                result = m_runner.run(
                    request,
                    [&](std::size_t index, RunSnapshot snapshot) {
                        delivery.take(moments.at(index), std::move(snapshot));
                    },
                    stop, progress, log);
            if (result == RunResult::finished) {
                delivery.finish(log);
                noteSuccess(report);
                return result;
            }
        } catch (const StorageError &) {
            putBack(job, lock);
            throw;
        } catch (const Error &error) {
            // Its results do not fit the study; if it is the file, failJob() throws as well.
            log += (log.empty() || log.back() == '\n' ? "" : "\n")
                   + std::string("gridhelm: the results cannot be stored: ") + error.what();
            result = RunResult::failed;
        } catch (const std::bad_alloc &) {
            log += "\ngridhelm: memory ran out; run fewer jobs at a time";
            result = RunResult::failed;
        }
        if (!lock)
            lock.lock();
        m_store.forget();
        if (result == RunResult::cancelled) {
            m_writer.resetJob(job.id);
            return result;
        }
        m_writer.failJob(job.id, log);
        noteFailure(report, job.id, request.name, log);
        return RunResult::failed;
    }

    /// `places`: parameters that one snapshot delivers, which differ in space at most.
    RunResult runHoldOut(std::size_t index, const std::vector<std::vector<double>> &places,
                         const std::stop_token &stop, const std::function<void(double)> &progress,
                         CampaignReport &report)
    {
        RunRequest request{
            "holdout-" + std::to_string(index + 1), runValues(m_space, places.front()), {}};
        if (m_time)
            request.times = {places.front()[*m_time]};
        std::optional<RunSnapshot> snapshot;
        std::string log;
        auto result = m_runner.run(
            request, [&](std::size_t, RunSnapshot delivered) { snapshot = std::move(delivered); },
            stop, progress, log);
        if (snapshot && !m_isScalar)
            snapshot = m_store.packed(*std::move(snapshot));
        const std::scoped_lock lock(m_mutex);
        try {
            if (result == RunResult::finished && snapshot) {
                auto transaction = m_writer.transaction();
                if (m_isScalar)
                    storeSampledHoldOuts(m_writer, places, *snapshot);
                else
                    m_store.putHoldOut(places.front(), std::move(*snapshot));
                transaction.commit();
                noteSuccess(report);
                return result;
            }
        } catch (const StorageError &) {
            m_store.forget();
            throw;
        } catch (const Error &error) {
            m_store.forget();
            log = error.what();
            result = RunResult::failed;
        }
        if (result == RunResult::failed)
            noteFailure(report, 0, request.name, log);
        return result;
    }

    /// `pool` makes the campaign's runs, and can be told to begin no more of them.
    void work(RunPool &pool, CampaignReport &report)
    {
        m_beginNoMore = [&pool] { pool.beginNoMore(); };
        report.cancelled = !pool.work();
        report.notBegun = pool.notBegun();
        report.stopped = report.stopped && pool.isPaused();
        report.paused = pool.isPaused() && !report.stopped;
    }

    /// Now and then, while runs go on: what was finished is brought into the one file.
    void settle()
    {
        if (const std::unique_lock lock(m_mutex, std::try_to_lock); lock)
            m_writer.settle();
    }

private:
    /// The disk is full, say, which is no fault of the job's: it waits for room.
    void putBack(const Job &job, std::unique_lock<std::mutex> &lock)
    {
        if (!lock)
            lock.lock();
        m_store.forget();
        try {
            m_writer.resetJob(job.id);
        } catch (const Error &) {
            // No room even for that: who opens the study next finds that nobody runs the job.
        }
    }

    /// What one snapshot is for.
    struct Moment
    {
        std::vector<std::size_t> positions; ///< in the job's points; one unless scalar
        std::vector<Place> places;
    };

    /// One job's snapshots. Those of a scalar study are sampled as they come. Others, if they come
    /// while the simulation runs, wait in memory, for other jobs want to write, too; those that
    /// come when it has ended go straight into the transaction of the job's end.
    class Delivery
    {
    public:
        Delivery(Campaign &campaign, const Job &job, std::unique_lock<std::mutex> &lock)
            : m_campaign(campaign)
            , m_job(job)
            , m_sampled(job.points.size())
            , m_lock(lock)
        {
        }

        void take(const Moment &moment, RunSnapshot snapshot)
        {
            if (m_campaign.m_isScalar) {
                m_sampled.add(snapshot, moment.places, moment.positions);
                return;
            }
            const auto point = m_job.points[moment.positions.front()];
            if (m_campaign.m_runner.deliversAtTheEnd()) {
                open();
                m_campaign.m_store.putPoint(point, std::move(snapshot));
                return;
            }
            for (const auto &values : snapshot.values)
                m_bytes += values.size() * sizeof(float);
            m_batch.emplace_back(point, m_campaign.m_store.packed(std::move(snapshot)));
            if (m_bytes > largestBatch) {
                open();
                storeBatch();
                close();
            }
        }

        void finish(std::string log)
        {
            open();
            if (m_campaign.m_isScalar)
                m_sampled.store(m_campaign.m_writer, m_job.id);
            else
                storeBatch();
            m_notes.merge(m_campaign.m_store.takeNotes());
            for (const auto &note : m_notes)
                log += (log.empty() || log.back() == '\n' ? "" : "\n") + ("note: " + note) + "\n";
            m_campaign.m_writer.finishJob(m_job.id, log);
            m_transaction->commit();
        }

    private:
        void open()
        {
            if (m_transaction)
                return;
            m_lock.lock();
            m_transaction.reset(new Transaction(m_campaign.m_writer.transaction()));
        }

        void close()
        {
            m_notes.merge(m_campaign.m_store.takeNotes());
            m_transaction->commit();
            m_transaction.reset();
            m_lock.unlock();
        }

        void storeBatch()
        {
            for (auto &[point, snapshot] : m_batch)
                m_campaign.m_store.putPoint(point, std::move(snapshot));
            m_batch.clear();
            m_bytes = 0;
        }

        Campaign &m_campaign;
        const Job &m_job;
        SampledJob m_sampled;
        std::unique_lock<std::mutex> &m_lock; ///< locked while there is a transaction
        std::unique_ptr<Transaction> m_transaction;
        std::vector<std::pair<std::uint64_t, RunSnapshot>> m_batch;
        std::size_t m_bytes = 0;
        std::set<std::string> m_notes; ///< about what was stored
    };

    /// Marks the job as running, fills in what it is to do, and returns what its snapshots are
    /// for, in the order of their times.
    std::vector<Moment> begin(const Job &job, RunRequest &request)
    {
        const std::scoped_lock lock(m_mutex);
        m_writer.startJob(job.id);
        std::map<double, Moment> momentAt;
        for (std::size_t i = 0; i < job.points.size(); ++i) {
            const auto values = m_space.valuesAt(*m_writer.grid(), job.points[i]);
            request.parameters = runValues(m_space, values);
            if (!m_isScalar && m_there[job.points[i]])
                continue;
            auto &moment = momentAt[m_time ? values[*m_time] : 0];
            moment.positions.push_back(i);
            moment.places.push_back(placeOf(m_space, values));
        }
        std::vector<Moment> moments;
        for (auto &[time, moment] : momentAt) {
            moments.push_back(std::move(moment));
            if (m_time)
                request.times.push_back(time);
        }
        return moments;
    }

    void noteSuccess(CampaignReport &report)
    {
        ++report.done;
        m_alike.succeed();
    }

    void noteFailure(CampaignReport &report, JobId id, const std::string &name,
                     const std::string &log)
    {
        const auto failure = lastLine(log);
        if (report.failed++ == 0) {
            report.firstFailed = id;
            report.firstFailure = failure;
        }
        if (m_alike.fail(failure, name) && !m_keepGoing && !report.stopped) {
            report.stopped = true;
            report.firstFailed = id;
            report.firstFailure = failure;
            m_beginNoMore();
        }
    }

    StudyWriter &m_writer;
    const JobRunner &m_runner;
    bool m_keepGoing;
    std::function<void()> m_beginNoMore;
    std::mutex m_mutex; ///< for the writer, the store, the report and what failed
    AlikeFailures m_alike;
    SnapshotStore m_store;
    const ParameterSpace m_space; ///< the writer's own moves when fields are added
    std::optional<std::size_t> m_time;
    bool m_isScalar;
    std::vector<bool> m_there; ///< points whose snapshots an interrupted job has left
};

} // namespace

namespace {

CampaignOptions settling(Campaign &campaign, const CampaignOptions &options)
{
    auto watched = options;
    watched.cancelled = [&campaign, asked = options.cancelled] {
        campaign.settle();
        return asked && asked();
    };
    return watched;
}

} // namespace

CampaignReport runCampaign(StudyWriter &writer, const JobRunner &runner,
                           const CampaignOptions &options)
{
    CampaignReport report;
    report.recovered = writer.resetRunningJobs();
    std::vector<Job> jobs;
    bool known = false;
    for (auto &job : writer.jobs()) {
        if (options.only && job.id != *options.only)
            continue;
        known = true;
        if (job.state == JobState::failed && (options.retryFailed || options.only)) {
            writer.resetJob(job.id);
            job.state = JobState::waiting;
        }
        if (job.state == JobState::waiting)
            jobs.push_back(std::move(job));
        else if (options.only && job.state == JobState::done)
            throw Error("Job " + std::to_string(job.id)
                        + " is done already, and jobs that went well are never run again; choose "
                          "one that failed or is waiting (info --jobs)");
    }
    if (options.only && !known)
        throw Error("There is no job " + std::to_string(*options.only)
                    + " in this study; list them with: gridhelm-cli info STUDY --jobs");
    Campaign campaign(writer, runner, options);
    const auto watched = settling(campaign, options);
    RunPool pool(
        jobs.size(),
        [&](std::size_t i, const std::stop_token &stop, const auto &progress) {
            return campaign.runJob(jobs[i], stop, progress, report);
        },
        watched);
    campaign.work(pool, report);
    for (const auto &job : writer.jobs())
        report.waiting += job.state == JobState::waiting ? 1 : 0;
    return report;
}

CampaignReport runHoldOuts(StudyWriter &writer, const JobRunner &runner,
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
    Campaign campaign(writer, runner, options);
    const auto watched = settling(campaign, options);
    RunPool pool(
        wanted.size(),
        [&](std::size_t i, const std::stop_token &stop, const auto &progress) {
            return campaign.runHoldOut(i, wanted[i], stop, progress, report);
        },
        watched);
    campaign.work(pool, report);
    return report;
}

std::filesystem::path workFolderOf(const std::filesystem::path &study)
{
    auto folder = study;
    folder += ".jobs";
    return folder;
}

} // namespace gridhelm::data
