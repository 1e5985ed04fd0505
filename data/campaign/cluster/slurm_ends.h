// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/cluster/slurm_settings.h"
#include "data/campaign/raised_limits.h"

#include <optional>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// What it had too little of, by that word.
RunLimit limitOf(std::string_view end);

/// Why a run has failed, in a sentence: by Slurm's word for it ("TIMEOUT"; empty: it has none), and
/// the exit code of its command, if it has come so far.
std::string failureText(std::string_view end, std::optional<int> code,
                        const SlurmSettings &settings);

} // namespace gridhelm::data
