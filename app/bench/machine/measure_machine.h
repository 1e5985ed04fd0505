// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/machine/machine_cases.h"
#include "app/bench/machine/machine_report.h"
#include "app/bench/machine/machine_units.h"
#include "app/bench/measure.h"
#include "core/execution/tuning_table.h"
#include "core/tuning/tuning_file.h"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm::bench {

struct MachineBenchOptions
{
    /// Seconds from the call on. A case is begun only if, judged by the smaller ones before it, it
    /// ends in time.
    double budget = std::numeric_limits<double>::infinity();
    MeasureOptions measure{0.1, 5, 0.5};
    /// What suits this machine: each case is measured again with it. Null: it is not tuned.
    std::shared_ptr<const TuningTable> tuning;
    /// On those kinds of devices, "cpu" and "gpu", for which it has other constants than the
    /// compiled-in ones.
    std::vector<std::string> tunedKinds{"cpu", "gpu"};
    /// Asked before the cases and after them.
    std::function<void(MachineUnit &)> limitsOf = [](MachineUnit &unit) { measureLimits(unit); };
    std::function<bool()> isStopped = [] { return false; };
    std::function<void(const std::string &)> progress = [](const std::string &) {};
};

/// Takes from what was found by tuning: nothing unless a constant differs from the compiled-in one.
void useTuning(MachineBenchOptions &options, const std::vector<tuning::TuningEntry> &entries);

/// Limits first, then the cases in their order, each on all units. What fails, or has no room in
/// memory, is part of the report. The report's machine, version and threads are left to the caller.
MachineReport measureMachine(std::vector<MachineUnit> units, const std::vector<MachineCase> &cases,
                             const MachineBenchOptions &options);

} // namespace gridhelm::bench
