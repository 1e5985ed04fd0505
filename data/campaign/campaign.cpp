// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign.h"

#include "core/support/error.h"
#include "data/campaign/job_runs.h"
#include "data/campaign/planned_runs.h"
#include "data/campaign/run_on.h"
#include "data/support/shell_word.h"

#include <map>
#include <span>
#include <utility>

namespace gridhelm::data {

namespace {

/// Jobs of the grid and runs off it that were planned, in one schedule.
class StudyRuns : public ScheduledRuns
{
public:
    /// All must outlive it.
    StudyRuns(StudyWriter &writer, JobRuns &jobs, PlannedRuns &planned,
              const CampaignOptions &options, const CampaignReport &report)
        : m_writer(writer)
        , m_jobs(jobs)
        , m_planned(planned)
        , m_options(options)
        , m_report(report)
    {
    }

    void addJobs(std::size_t number) { add(m_jobs, m_jobsAdded, number); }
    void addPlanned(std::size_t number) { add(m_planned, m_plannedAdded, number); }
    std::size_t total() const { return m_runs.size(); }

    std::optional<RunRequest> begin(std::size_t index) override
    {
        return m_runs[index].of->begin(m_runs[index].index);
    }

    void submitted(std::span<const std::size_t> indices, std::span<const std::string> ids) override
    {
        for (ScheduledRuns *of :
             {static_cast<ScheduledRuns *>(&m_jobs), static_cast<ScheduledRuns *>(&m_planned)}) {
            std::vector<std::size_t> theirs;
            std::vector<std::string> theirIds;
            for (std::size_t i = 0; i < indices.size(); ++i) {
                if (m_runs[indices[i]].of != of)
                    continue;
                theirs.push_back(m_runs[indices[i]].index);
                theirIds.push_back(ids[i]);
            }
            if (!theirs.empty())
                of->submitted(theirs, theirIds);
        }
    }

    void noteRunning(std::span<const std::size_t> indices) override
    {
        std::vector<std::size_t> theirs; // of the others nothing is remembered
        for (const auto index : indices)
            if (m_runs[index].of == &m_jobs)
                theirs.push_back(m_runs[index].index);
        m_jobs.noteRunning(theirs);
    }

    std::optional<RunResult> advance(std::size_t index, const std::string &id,
                                     const RunStatus &status, const std::stop_token &stop) override
    {
        return m_runs[index].of->advance(m_runs[index].index, id, status, stop);
    }

    bool isToBeginAgain(std::size_t index) override
    {
        return m_runs[index].of->isToBeginAgain(m_runs[index].index);
    }
    void giveUp(std::size_t index) override { m_runs[index].of->giveUp(m_runs[index].index); }
    bool isRemembered(std::size_t index) const override
    {
        return m_runs[index].of->isRemembered(m_runs[index].index);
    }
    bool mayBegin() const override { return m_jobs.mayBegin(); }

    bool isQuick(std::size_t index, const RunStatus &status) const override
    {
        return m_runs[index].of->isQuick(m_runs[index].index, status);
    }
    void inOneCommit(const std::function<void()> &work) override
    {
        data::inOneCommit(m_writer, work);
    }

    std::size_t more() override
    {
        if (!m_options.more || !m_options.more(m_report))
            return 0;
        const auto before = total();
        addJobs(m_jobs.takeNewJobs());
        addPlanned(m_planned.takeNewRuns());
        return total() - before;
    }

private:
    struct Run
    {
        ScheduledRuns *of;
        std::size_t index; ///< among its own
    };

    void add(ScheduledRuns &of, std::size_t &added, std::size_t number)
    {
        for (std::size_t i = 0; i < number; ++i)
            m_runs.push_back({&of, added++});
    }

    StudyWriter &m_writer;
    JobRuns &m_jobs;
    PlannedRuns &m_planned;
    const CampaignOptions &m_options;
    const CampaignReport &m_report;
    std::vector<Run> m_runs;
    std::size_t m_jobsAdded = 0, m_plannedAdded = 0;
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
        throw Error(number + " runs elsewhere, on " + found->second
                    + ", and is not run twice; take it up there with --on "
                    + shellWord(found->second));
}

} // namespace

CampaignReport runCampaign(StudyWriter &writer, JobRunner &runner, const CampaignOptions &options)
{
    CampaignReport report;
    report.on = placeOf(runner);
    report.recovered = writer.resetRunningJobs();
    const auto elsewhere = findSubmissions(writer, runner);
    report.recovered += elsewhere.lost;
    report.elsewhere = elsewhere.ofOthers.size();
    if (report.elsewhere > 0)
        report.elsewhereOn = elsewhere.ofOthers.begin()->second;
    std::vector<Job> jobs;
    std::vector<AdoptedRun> adopted;
    std::map<std::size_t, RaisedLimits> toRetry; ///< by their places in `jobs`
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
        else if (const auto again = elsewhere.toRetry.find(job.id);
                 again != elsewhere.toRetry.end())
            toRetry.emplace(jobs.size(), again->second);
        else if (options.only)
            requireToBeRun(job, elsewhere);
        if (job.state == JobState::waiting || elsewhere.toAdopt.contains(job.id)
            || elsewhere.toRetry.contains(job.id))
            jobs.push_back(std::move(job));
    }
    if (options.only && !known)
        throw Error("There is no job " + std::to_string(*options.only)
                    + " in this study; list them with: gridhelm-cli info STUDY --jobs");
    const auto total = jobs.size();
    if (!runner.isLocal() && total > 0)
        removeLeftovers(writer, runner);
    JobRuns ofJobs(writer, runner, options, std::move(jobs), report);
    for (const auto &run : adopted)
        ofJobs.adopt(run);
    for (const auto &[index, raised] : toRetry)
        ofJobs.setRaised(index, raised);
    PlannedRuns planned(writer, runner, options, report);
    planned.countFailuresWith(ofJobs);
    StudyRuns runs(writer, ofJobs, planned, options, report);
    runs.addJobs(total);
    if (!options.only) {
        if (options.retryFailed)
            waitAgain(writer, plannedIn(writer, PlannedRunState::failed));
        const auto begin = runs.total();
        const auto number = planned.takeNewRuns();
        runs.addPlanned(number);
        for (const auto &[index, id] : planned.findElsewhere(number))
            adopted.push_back({begin + index, id});
    }
    report.adopted = adopted.size();
    work(runs, runs.total(), adopted, writer, runner, options, report);
    for (const auto &job : writer.jobs())
        report.waiting += job.state == JobState::waiting ? 1 : 0;
    report.waiting += plannedIn(writer, PlannedRunState::waiting).size();
    return report;
}

std::filesystem::path workFolderOf(const std::filesystem::path &study)
{
    auto folder = study;
    folder += ".jobs";
    return folder;
}

} // namespace gridhelm::data
