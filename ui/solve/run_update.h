// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a solver's run tells those who watch it.
#pragma once

#include "core/execution/device.h"
#include "core/solvers/stepper.h"
#include "ui/solve/slice_frame.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::ui {

enum class RunPhase {
    preparing, ///< files are read, memory is allocated
    running,
    paused,
    settled,   ///< it is where it should be, and goes on when a parameter changes
    finished,  ///< as planned
    cancelled, ///< by the user
    failed,    ///< see the message
};

/// Nothing comes after it.
constexpr bool isOver(RunPhase phase)
{
    return phase >= RunPhase::finished;
}

/// Amounts per second of the recent past.
struct RunRates
{
    double iterations = 0;
    double flops = 0;
    double bytes = 0;
};

struct RunState
{
    RunPhase phase = RunPhase::preparing;
    std::string message;              ///< why it is over or settled
    std::optional<bool> hasConverged; ///< at its end; none without a target, or before
    std::string method;               ///< of the stepper
    std::string unit = "iterations";
    std::string fieldName;
    std::size_t unknowns = 0;
    int threads = 1;                 ///< of the CPU; 0: it only waits
    std::vector<DeviceShare> shares; ///< of several devices; empty: one computes
    solvers::StepReport report;
    RunRates rates;
    std::vector<solvers::LiveParameter> parameters;
};

/// What has happened since one last asked.
struct RunUpdate
{
    RunState state;
    std::vector<solvers::StepReport> history; ///< only what is new
    std::shared_ptr<const SliceFrame> frame;  ///< null: as before
    std::vector<std::string> complaints;      ///< about live parameters and files
    std::vector<std::string> savedFiles;
};

} // namespace gridhelm::ui
