// SPDX-License-Identifier: GPL-3.0-or-later
//
// Limits of time and memory as Slurm writes them, and more of them.
#pragma once

#include "data/campaign/cluster/slurm_settings.h"
#include "data/campaign/raised_limits.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// sbatch --time: "30" (minutes), "30:15", "1:30:00", "2-12" (days, hours), "2-12:30:00". Nothing
/// for what is none of these, or no time at all.
std::optional<std::int64_t> slurmSeconds(std::string_view time);
/// "1:30:00", "2-12:30:00"; whole minutes, rounded up, as Slurm counts.
std::string slurmTime(std::int64_t seconds);
/// sbatch --mem times this: "4G" by 2 is "8G"; "1500" by 1.5 is "2250". Nothing if it is not of
/// that form, or 0 (which means all of a node).
std::optional<std::string> slurmMemory(std::string_view memory, double factor);

/// "x2": above 1, at most 100. Nothing if it is not of that form.
std::optional<double> retryFactor(std::string_view text);

/// What to ask for in the next try of a run that has failed at a limit; nothing if the plan has no
/// `retry` for it, or has had as many as it may.
std::optional<Retry> nextTry(const SlurmSettings &settings, RaisedLimits raised, RunLimit limit);
/// The settings of a run whose limits were raised so often.
SlurmSettings raisedSettings(SlurmSettings settings, RaisedLimits raised);

} // namespace gridhelm::data
