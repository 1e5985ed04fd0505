// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign.h"

#include "core/support/error.h"
#include "data/campaign/sample_snapshot.h"
#include "data/study/run_space.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace gridhelm::data {

namespace {

/// Of snapshots that wait in memory for the end of their job.
constexpr std::size_t largestBatch = std::size_t{256} << 20;

/// A number of runs, some at a time. The first exception of a run stops the others.
class Pool
{
public:
    using Run = std::function<RunResult(std::size_t index, const std::stop_token &stop,
                                        const std::function<void(double)> &progress)>;

    Pool(std::size_t total, Run run, const CampaignOptions &options)
        : m_total(total)
        , m_run(std::move(run))
        , m_options(options)
        , m_parts(total)
    {
    }

    /// Whether all runs were made.
    bool work()
    {
        const auto count = std::min(m_total, static_cast<std::size_t>(std::max(m_options.jobs, 1)));
        {
            std::vector<std::jthread> threads;
            for (std::size_t i = 0; i < count; ++i)
                threads.emplace_back([this] { takeRuns(); });
            std::unique_lock lock(m_mutex);
            m_active += count;
            m_begun.notify_all();
            while (m_active > 0) {
                m_ended.wait_for(lock, std::chrono::milliseconds(100));
                lock.unlock();
                if (!m_stop.stop_requested() && m_options.cancelled && m_options.cancelled()) {
                    m_cancelled = true;
                    m_stop.request_stop();
                }
                report();
                lock.lock();
            }
        }
        report();
        if (m_exception)
            std::rethrow_exception(m_exception);
        return !m_cancelled;
    }

private:
    void takeRuns()
    {
        {
            std::unique_lock lock(m_mutex);
            m_begun.wait(lock, [this] { return m_active > 0; });
        }
        while (!m_stop.stop_requested()) {
            const auto index = m_next.fetch_add(1);
            if (index >= m_total)
                break;
            try {
                const auto result = m_run(index, m_stop.get_token(), [&](double part) {
                    m_parts[index] = std::clamp(part, 0.0, 0.99);
                });
                if (result == RunResult::cancelled)
                    break;
                m_failed += result == RunResult::failed ? 1 : 0;
                m_parts[index] = 1;
                ++m_done;
            } catch (...) {
                const std::scoped_lock lock(m_mutex);
                if (!m_exception)
                    m_exception = std::current_exception();
                m_stop.request_stop();
            }
        }
        const std::scoped_lock lock(m_mutex);
        --m_active;
        m_ended.notify_all();
    }

    void report() const
    {
        if (!m_options.progress)
            return;
        double part = 0;
        for (const auto &one : m_parts)
            part += one;
        CampaignProgress progress{m_done, m_failed, m_total, 0, -1};
        progress.seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - m_started).count();
        if (part > 0)
            progress.secondsRemaining =
                progress.seconds * (static_cast<double>(m_total) - part) / part;
        m_options.progress(progress);
    }

    std::size_t m_total;
    Run m_run;
    const CampaignOptions &m_options;
    std::vector<std::atomic<double>> m_parts; ///< of each run
    std::chrono::steady_clock::time_point m_started = std::chrono::steady_clock::now();
    std::stop_source m_stop;
    std::atomic<std::size_t> m_next{0}, m_done{0}, m_failed{0};
    std::mutex m_mutex;
    std::condition_variable m_begun, m_ended;
    std::size_t m_active = 0;
    std::exception_ptr m_exception;
    bool m_cancelled = false;
};

std::string lastLine(std::string text)
{
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.pop_back();
    for (const std::string note : {"\n(its folder is kept: "}) {
        if (const auto at = text.rfind(note); at != std::string::npos)
            text.resize(at);
    }
    const auto at = text.rfind('\n');
    return at == std::string::npos ? text : text.substr(at + 1);
}

Place placeOf(const ParameterSpace &space, std::span<const double> values)
{
    Place place{};
    std::size_t axis = 0;
    for (auto t : space.spatial())
        place.at(axis++) = values[t];
    return place;
}

/// A scalar study's job as its snapshots arrive.
class SampledJob
{
public:
    explicit SampledJob(std::size_t points)
        : m_points(points)
    {
    }

    /// `positions`: of the places in the job's points.
    void add(const RunSnapshot &snapshot, std::span<const Place> places,
             std::span<const std::size_t> positions)
    {
        auto sampled = sampleSnapshot(snapshot, places);
        if (m_fields.empty()) {
            m_mesh = snapshot.mesh;
            m_fields = std::move(sampled.fields);
            m_values.assign(m_fields.size(), std::vector<float>(m_points));
        } else if (sampled.fields != m_fields || snapshot.mesh != m_mesh) {
            throw Error("the snapshots of the run differ in their fields or mesh; let all be "
                        "alike");
        }
        for (std::size_t f = 0; f < m_values.size(); ++f) {
            for (std::size_t i = 0; i < positions.size(); ++i)
                m_values[f][positions[i]] = sampled.values[f][i];
        }
    }

    void store(StudyWriter &writer, JobId id) const
    {
        writer.setMesh(m_mesh);
        std::vector<FieldIndex> fields;
        for (const auto &field : m_fields)
            fields.push_back(writer.addField(field));
        for (std::size_t f = 0; f < fields.size(); ++f)
            writer.putScalarValues(id, fields[f], m_values[f]);
    }

private:
    std::size_t m_points;
    Mesh m_mesh;
    std::vector<Field> m_fields;
    std::vector<std::vector<float>> m_values;
};

/// The writer, shared by the threads of a campaign.
class Campaign
{
public:
    Campaign(StudyWriter &writer, const JobRunner &runner)
        : m_writer(writer)
        , m_runner(runner)
        , m_mesh(writer.mesh())
        , m_space(writer.description().space)
        , m_time(m_space.timeLike())
        , m_isScalar(writer.description().kind == StudyKind::scalar)
    {
        for (FieldIndex field = 0; field < writer.fields().size(); ++field) {
            const auto there = writer.pointsWithSnapshots(field);
            if (field == 0)
                m_there = there;
            for (std::size_t i = 0; i < there.size(); ++i)
                m_there[i] = m_there[i] && there[i];
        }
        m_there.resize(writer.grid()->points());
    }

    RunResult runJob(const Job &job, const std::stop_token &stop,
                     const std::function<void(double)> &progress, CampaignReport &report)
    {
        struct Moment
        {
            std::vector<std::size_t> positions; ///< in the job's points; one unless scalar
            std::vector<Place> places;
        };
        RunRequest request{"job-" + std::to_string(job.id), {}, {}};
        std::vector<Moment> moments;
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
            for (auto &[time, moment] : momentAt) {
                moments.push_back(std::move(moment));
                if (m_time)
                    request.times.push_back(time);
            }
        }

        std::vector<std::pair<std::uint64_t, RunSnapshot>> batch;
        SampledJob sampled(job.points.size());
        std::size_t bytes = 0, delivered = 0;
        std::string log;
        RunResult result = RunResult::finished;
        try {
            if (!moments.empty()) {
                result = m_runner.run(
                    request,
                    [&](std::size_t index, RunSnapshot snapshot) {
                        const auto &moment = moments.at(index);
                        if (m_isScalar) {
                            sampled.add(snapshot, moment.places, moment.positions);
                            return;
                        }
                        for (const auto &values : snapshot.values)
                            bytes += values.size() * sizeof(float);
                        batch.emplace_back(job.points[moment.positions.front()],
                                           std::move(snapshot));
                        ++delivered;
                        if (bytes > largestBatch && delivered < moments.size()) {
                            const std::scoped_lock lock(m_mutex);
                            auto transaction = m_writer.transaction();
                            store(batch);
                            transaction.commit();
                            batch.clear();
                            bytes = 0;
                        }
                    },
                    stop, progress, log);
            }
            if (result == RunResult::finished) {
                const std::scoped_lock lock(m_mutex);
                auto transaction = m_writer.transaction();
                if (m_isScalar)
                    sampled.store(m_writer, job.id);
                else
                    store(batch);
                m_writer.finishJob(job.id, log);
                transaction.commit();
                ++report.done;
                return result;
            }
        } catch (const Error &error) {
            // Its results do not fit the study; if it is the file, failJob() throws as well.
            log += (log.empty() || log.back() == '\n' ? "" : "\n")
                   + std::string("gridhelm: the results cannot be stored: ") + error.what();
            result = RunResult::failed;
        } catch (const std::bad_alloc &) {
            log += "\ngridhelm: memory ran out; run fewer jobs at a time";
            result = RunResult::failed;
        }
        const std::scoped_lock lock(m_mutex);
        if (result == RunResult::cancelled) {
            m_writer.resetJob(job.id);
            return result;
        }
        m_writer.failJob(job.id, log);
        noteFailure(report, job.id, log);
        return RunResult::failed;
    }

    /// `places`: parameters that one snapshot delivers, which differ in space at most.
    RunResult runHoldOut(std::size_t index, const std::vector<std::vector<double>> &places,
                         const std::stop_token &stop, const std::function<void(double)> &progress,
                         CampaignReport &report)
    {
        RunRequest request{
            "holdout-" + std::to_string(index), runValues(m_space, places.front()), {}};
        if (m_time)
            request.times = {places.front()[*m_time]};
        std::optional<RunSnapshot> snapshot;
        std::string log;
        auto result = m_runner.run(
            request, [&](std::size_t, RunSnapshot delivered) { snapshot = std::move(delivered); },
            stop, progress, log);
        const std::scoped_lock lock(m_mutex);
        try {
            if (result == RunResult::finished && snapshot) {
                auto transaction = m_writer.transaction();
                storeHoldOuts(places, *snapshot);
                transaction.commit();
                ++report.done;
                return result;
            }
        } catch (const Error &error) {
            log = error.what();
            result = RunResult::failed;
        }
        if (result == RunResult::failed)
            noteFailure(report, 0, log);
        return result;
    }

private:
    void storeHoldOuts(const std::vector<std::vector<double>> &places, const RunSnapshot &snapshot)
    {
        if (m_mesh && *m_mesh != snapshot.mesh)
            throw Error("Its mesh is not that of the study; let all runs use one mesh");
        if (!m_isScalar) {
            const auto id = m_writer.addHoldOut(places.front());
            for (std::size_t i = 0; i < snapshot.fields.size(); ++i)
                m_writer.putHoldOut(id, m_writer.addField(snapshot.fields[i]), snapshot.values[i]);
            return;
        }
        std::vector<Place> inSpace;
        for (const auto &parameters : places)
            inSpace.push_back(placeOf(m_space, parameters));
        const auto sampled = sampleSnapshot(snapshot, inSpace);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const auto id = m_writer.addHoldOut(places[i]);
            for (std::size_t f = 0; f < sampled.fields.size(); ++f)
                m_writer.putHoldOut(id, m_writer.addField(sampled.fields[f]),
                                    std::span(sampled.values[f]).subspan(i, 1));
        }
    }

    void noteFailure(CampaignReport &report, JobId id, const std::string &log) const
    {
        if (report.failed++ == 0) {
            report.firstFailed = id;
            report.firstFailure = lastLine(log);
        }
    }

    void store(std::vector<std::pair<std::uint64_t, RunSnapshot>> &batch)
    {
        for (auto &[point, snapshot] : batch) {
            if (!m_mesh || *m_mesh != snapshot.mesh) {
                m_writer.setMesh(snapshot.mesh); // throws if there is another one
                m_mesh = m_writer.mesh();
            }
            for (const auto &field : snapshot.fields)
                m_writer.addField(field);
            for (std::size_t i = 0; i < snapshot.fields.size(); ++i)
                m_writer.putSnapshot(point, m_writer.fieldIndex(snapshot.fields[i].name),
                                     snapshot.values[i]);
        }
    }

    StudyWriter &m_writer;
    const JobRunner &m_runner;
    std::mutex m_mutex; ///< for the writer, the mesh and the report
    std::optional<Mesh> m_mesh;
    const ParameterSpace m_space; ///< the writer's own moves when fields are added
    std::optional<std::size_t> m_time;
    bool m_isScalar;
    std::vector<bool> m_there; ///< points whose snapshots an interrupted job has left
};

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
    Campaign campaign(writer, runner);
    Pool pool(
        jobs.size(),
        [&](std::size_t i, const std::stop_token &stop, const auto &progress) {
            return campaign.runJob(jobs[i], stop, progress, report);
        },
        options);
    report.cancelled = !pool.work();
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
    Campaign campaign(writer, runner);
    Pool pool(
        wanted.size(),
        [&](std::size_t i, const std::stop_token &stop, const auto &progress) {
            return campaign.runHoldOut(i, wanted[i], stop, progress, report);
        },
        options);
    report.cancelled = !pool.work();
    return report;
}

std::filesystem::path workFolderOf(const std::filesystem::path &study)
{
    auto folder = study;
    folder += ".jobs";
    return folder;
}

} // namespace gridhelm::data
