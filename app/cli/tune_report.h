// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tune tells of what it finds, and of what was found before.
#pragma once

#include "core/tuning/machine_tuning.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::cli {

/// Where the yardstick's best variant is, beside the one that was found.
struct Yardstick
{
    tuning::Variant best;
    double quality = 1; ///< seconds of its best divided by those of ours: below 1, ours is slower
    double seconds = 0; ///< that its search took
    double allSeconds = 0; ///< with the comparison
};

nlohmann::json caseJson(const tuning::TunedCase &tuned, const std::optional<Yardstick> &yardstick);
void printTuneRow(const tuning::TunedCase &tuned, const std::optional<Yardstick> &yardstick);

nlohmann::json entryJson(const tuning::TuningEntry &entry);
void printTuneRow(const tuning::TuningEntry &entry);
/// After the rows of what has been found before.
void printKnownEnd(const std::vector<tuning::TuningEntry> &entries);

/// One file of a device: {"device": "gpu:0", "hardware": ..., "file": null if nothing is kept}.
nlohmann::json fileJson(const tuning::TuningDevice &device, const std::filesystem::path &file);

/// How many cases were done of so many, in how many seconds, where they are kept, and whether
/// somebody stopped it.
void printTuneEnd(const std::vector<std::vector<tuning::TunedCase>> &tuned, std::size_t wanted,
                  double seconds, const std::vector<std::filesystem::path> &files, bool wasStopped);

} // namespace gridhelm::cli
