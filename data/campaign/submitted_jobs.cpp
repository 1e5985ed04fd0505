// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/submitted_jobs.h"

#include <fmt/format.h>

#include <exception>
#include <random>
#include <span>
#include <vector>

namespace gridhelm::data {

std::string runNameOf(JobId job)
{
    return "job-" + std::to_string(job);
}

std::string newToken(std::string_view name)
{
    std::random_device random; // of the system: no two programs draw the same
    return fmt::format("{}-{:08x}{:08x}{:08x}{:08x}", name, random(), random(), random(), random());
}

bool mayRun(JobRunner &runner, const std::string &token)
{
    if (token.empty())
        return false;
    try {
        return runner.poll({&token, 1}).front().state != RunState::lost;
    } catch (const std::exception &) {
        return true;
    }
}

FoundSubmissions findSubmissions(StudyWriter &writer, JobRunner &runner)
{
    FoundSubmissions found;
    std::vector<Submission> ours;
    std::vector<std::string> ids;
    for (auto &submission : writer.submissions()) {
        if (runner.isLocal() || submission.runner != runner.name()) {
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
        writer.resetJob(ours[i].job);
        ++found.lost;
    }
    return found;
}

} // namespace gridhelm::data
