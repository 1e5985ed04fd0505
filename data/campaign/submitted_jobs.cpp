// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/submitted_jobs.h"

#include "data/campaign/campaign_text.h"
#include "data/campaign/desk_mark.h"
#include "data/campaign/run_on.h"
#include "data/campaign/run_token.h"
#include "data/campaign/trust_store.h"
#include "data/support/sha256.h"

#include <fmt/format.h>

#include <exception>
#include <set>
#include <span>
#include <vector>

namespace gridhelm::data {

std::string runNameOf(JobId job)
{
    return "job-" + std::to_string(job);
}

std::string runNameOf(const PlannedRun &run)
{
    return "run-" + std::to_string(run.id);
}

std::string runNameOf(std::span<const double> parameters)
{
    constexpr std::size_t digits = 12;
    const auto bytes = std::as_bytes(parameters);
    return "holdout-"
           + sha256Of({reinterpret_cast<const char *>(bytes.data()), bytes.size()})
                 .substr(0, digits);
}

std::vector<bool> mayRun(JobRunner &runner, std::span<const std::string> tokens)
{
    std::vector<bool> may(tokens.size(), false);
    std::vector<std::string> asked;
    for (const auto &token : tokens)
        if (!token.empty())
            asked.push_back(token);
    if (asked.empty())
        return may;
    std::vector<RunStatus> statuses; // none: it cannot be asked, and they may run
    try {
        statuses = runner.poll(asked);
    } catch (const std::exception &) {
    }
    for (std::size_t i = 0, k = 0; i < tokens.size(); ++i) {
        if (tokens[i].empty())
            continue;
        may[i] = statuses.empty() || statuses[k].state != RunState::lost;
        ++k;
    }
    return may;
}

namespace {

bool isSubmittedTo(const Submission &submission, const JobRunner &runner)
{
    const auto name = runner.name();
    // Older studies remember a cluster by its kind alone: there was no other one then.
    const auto kind = name.substr(0, name.find(':'));
    return !runner.isLocal() && (submission.runner == name || submission.runner == kind);
}

} // namespace

void requireOwnSubmissions(const Study &study, const JobRunner &runner, const std::string &agreed)
{
    const auto ours = deskMark(study);
    std::set<std::string> marks;
    std::size_t count = 0;
    for (const auto &submission : study.submissions()) {
        const auto mark = partsOfToken(submission.id).mark;
        if (!isSubmittedTo(submission, runner) || isSameDesk(mark, ours))
            continue;
        marks.insert(mark);
        ++count;
    }
    if (count == 0)
        return;
    Sha256 pair;
    pair.addItem("gridhelm takes up").addItem(ours);
    for (const auto &mark : marks)
        pair.addItem(mark);
    const auto digest = pair.hex();
    if (digest == agreed || TrustStore().isTrusted(digest))
        return;
    throw CopiedStudy(fmt::format("{} of {} {} submitted to {} by another copy of it, or before it "
                                  "came here; take {} up only if nobody goes on with that copy, "
                                  "for each result is fetched once",
                                  countText(count, "job"), study.path().string(),
                                  count == 1 ? "was" : "were", placeOf(runner),
                                  count == 1 ? "it" : "them"),
                      digest);
}

void removeLeftovers(const Study &study, JobRunner &runner)
{
    std::set<std::string> known, made, lacking;
    for (const auto &submission : study.submissions())
        known.insert(submission.id);
    for (const auto &holdOut : study.holdOuts())
        made.insert(runNameOf(holdOut.parameters));
    for (const auto &run : study.plannedRuns())
        if (run.state == PlannedRunState::waiting)
            lacking.insert(runNameOf(run));
    const auto what = runner.whatIsRun();
    runner.removeLeftovers(deskMark(study), [&](const std::string &token) {
        const auto parts = partsOfToken(token);
        const auto &name = parts.name;
        const bool isLacking =
            lacking.contains(name) || (name.starts_with("holdout-") && !made.contains(name));
        return known.contains(token) || (isLacking && mayRunThis(parts, what));
    });
}

FoundSubmissions findSubmissions(StudyWriter &writer, JobRunner &runner)
{
    FoundSubmissions found;
    std::vector<Submission> ours;
    std::vector<std::string> ids;
    for (auto &submission : writer.submissions()) {
        if (!isSubmittedTo(submission, runner)) {
            found.ofOthers.emplace(submission.job, std::move(submission.runner));
            continue;
        }
        ids.push_back(submission.id);
        ours.push_back(std::move(submission));
    }
    if (ours.empty())
        return found;
    const auto statuses = runner.poll(ids);
    for (std::size_t i = 0; i < ours.size(); ++i) {
        if (statuses[i].state != RunState::lost) {
            found.toAdopt.emplace(ours[i].job, ours[i].id);
            continue;
        }
        ++found.lost;
        if (const auto raised = partsOfToken(ours[i].id).raised; raised.total() > 0)
            found.toRetry.emplace(ours[i].job, raised);
        else
            writer.resetJob(ours[i].job);
    }
    return found;
}

} // namespace gridhelm::data
