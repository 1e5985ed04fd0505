// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a runner says of itself: all that plans and campaigns know of it.
#pragma once

#include "data/campaign/job_runner.h"
#include "data/campaign/run_plan.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::data {

struct Plan;

/// A key of a plan's [run] table.
struct RunnerOption
{
    std::string name;        ///< "retry.time": the key `time` of its table `retry`
    RunSetting defaultValue; ///< its type is the option's
    std::string unit = {};
    std::optional<double> low = {}, high = {}; ///< of numbers, both included
    std::string help = {};                     ///< a sentence
};

struct RunnerType
{
    std::string name; ///< `on` in a plan's [run]
    std::string description;
    std::vector<RunnerOption> options;
    /// Whether it can run this plan. The first registered one that can does, unless the plan names
    /// another one.
    std::function<bool(const Plan &)> takes;
    /// Throws gridhelm::Error.
    std::function<std::unique_ptr<JobRunner>(const Plan &, const RunnerOptions &)> make;
};

} // namespace gridhelm::data
