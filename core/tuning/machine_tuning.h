// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tuning of a whole machine within a time.
#pragma once

#include "core/tuning/tuned_case.h"
#include "core/tuning/tuning_file.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::tuning {

/// What is tuned together, and kept in one file: a CPU with some threads, or a model of GPU.
struct TuningDevice
{
    std::string name; ///< "cpu", "gpu:0"
    TunedMachine machine;
    std::vector<TuningCase> cases;
    dispatch::Candidate candidate;
    ExecutionContext context; ///< on which the candidate is tuned, with nothing tuned before
};

/// That of the context.
TuningDevice tuningCpu(const ExecutionContext &context);

struct MachineTuneOptions
{
    TuneOptions each;
    double budget = 60; ///< seconds for all; a case that has begun is ended
    /// Before a case: its number, of how many.
    std::function<void(const TuningCase &, std::size_t, std::size_t)> begins{};
    std::function<void(const TunedCase &)> ended{};
    std::function<void(const TuningCase &, const std::string &)> failed{};
    /// Of several devices: before the cases of one.
    std::function<void(const TuningDevice &)> deviceBegins{};
};

/// Those of the operations with these names, in the order of the cases; of none: all. Throws
/// gridhelm::Error for a name that there is not.
std::vector<TuningCase> casesOf(const std::vector<std::string> &operations,
                                std::span<const TuningCase> cases);

/// A sentence, without full stop, if other programs take so much of the machine that what is found
/// now may not hold when they are gone: threads that wait for one which has lost its core make
/// serial variants look fast. Empty if not, or if the system does not tell.
std::string warningOfLoad();

/// Case by case; what is left of the time is divided among those that are left. Ends early with
/// what there is when it is asked to stop; the case during which that happens is not among them.
std::vector<TunedCase> tuneMachine(std::span<const TuningCase> cases,
                                   const dispatch::Candidate &candidate,
                                   const ExecutionContext &context,
                                   const MachineTuneOptions &options);

/// One device after the other, with parts of the time as they have cases: what was found on each,
/// in their order.
std::vector<std::vector<TunedCase>> tuneDevices(std::span<const TuningDevice> devices,
                                                const MachineTuneOptions &options);

} // namespace gridhelm::tuning
