// SPDX-License-Identifier: GPL-3.0-or-later
//
// One run of a plan's command, to see whether it works before there is a study: in the middle of
// the parameters' ranges, as the first job of a study would be.
#pragma once

#include "data/campaign/execution.h"
#include "data/campaign/job_runner.h"
#include "data/campaign/plan_file.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

/// A field that was read from the results, over all times.
struct TrialField
{
    Field field;
    std::uint64_t notFinite = 0; ///< values that are no numbers, which a study refuses
    double low = 0, high = 0;    ///< of the others
};

struct TrialReport
{
    RunState state = RunState::lost; ///< how it has ended
    std::string problem;             ///< why it has failed, as a sentence; empty: it has not
    std::string log;                 ///< what the command printed, and the reason of a failure
    double seconds = 0;              ///< of the run, without reading what came of it
    std::vector<Parameter> parameters;
    std::vector<double> values; ///< of these; the time-like one's are `times`
    std::vector<double> times;
    std::size_t snapshots = 0;
    std::vector<TrialField> fields;
};

struct TrialControl
{
    MeshFiles files = {};
    std::filesystem::path folder; ///< to work in; the run's own stays in it, whatever happens
    std::stop_token stop = {};
    double patience = 2; ///< seconds that a command has to end when it is stopped
    /// Whether the plan's user has written it here and now; other plans are asked for, as runs are.
    bool isOwn = false;
    std::string trusted = {}; ///< Execution::digest of what the user has agreed to just now
};

/// In the middle of all ranges, at the times of the grid.
RunRequest trialRequest(const Plan &plan);

/// Takes as long as the command does. Throws gridhelm::Error if the run cannot be begun, and
/// UntrustedExecution if the user has not agreed to what would be executed.
TrialReport runTrial(const Plan &plan, const TrialControl &control);

} // namespace gridhelm::data
