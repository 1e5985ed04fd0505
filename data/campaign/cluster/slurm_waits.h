// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// Why runs that wait in a cluster's queue will do so for good, unless somebody does something: by
/// Slurm's reason ("PartitionTimeLimit"; Slurm's manual, "Job reason codes"), with what to do, as a
/// sentence. Nothing for reasons that pass by themselves, and for those that are not known.
std::optional<std::string> endlessWait(std::string_view reason, const std::string &host);

} // namespace gridhelm::data
