// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/job_runner.h"

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::test {

/// One run from its beginning to its end, without a campaign.
inline data::RunStatus runOne(data::JobRunner &runner, const data::RunRequest &request)
{
    using namespace data;
    const auto ids = runner.submit(std::vector{request}, 1);
    auto status = runner.poll(ids).front();
    for (; !hasEnded(status.state); status = runner.poll(ids).front())
        runner.waitForNews(std::chrono::milliseconds(20));
    if (status.state == RunState::finished)
        status = runner.collect(ids.front(), [](std::size_t, RunSnapshot) {}, {});
    runner.release(ids.front());
    return status;
}

} // namespace gridhelm::test
