// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the commands that work on studies have in common on the terminal.
#pragma once

#include "data/campaign/campaign.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::cli {

/// "jobs 12 of 129, 1 failed, 40 s remaining".
std::string progressText(std::string_view what, const data::CampaignProgress &progress);
/// "1.5 MB".
std::string bytesText(double bytes);
/// "2 min 5 s".
std::string durationText(double seconds);
/// "1 job", "2 jobs".
std::string countText(std::uint64_t count, std::string_view noun);
/// As a shell reads it.
std::string shellText(const std::filesystem::path &path);

/// A table of points, as `import --table` reads it: the line of the names, and a line of values.
std::string pointCsvHeader(const ParameterSpace &space);
std::string pointCsvRow(const std::vector<double> &values);

/// Reads result files, where this program was built with VTK.
data::SnapshotReader snapshotReader();

/// Takes a snapshot whose mesh is the study's up to round-off; resamples any other, or refuses it,
/// naming the difference. `how` the user may ask for resampling: "(import --resample)".
data::MeshFitter meshFitter(bool resample, std::string_view how);

} // namespace gridhelm::cli
