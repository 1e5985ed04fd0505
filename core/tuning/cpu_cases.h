// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/tuned_case.h"

#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace gridhelm::tuning {

/// All operations of the CPU with constants to tune: "interpolation", "combination", ...
std::span<const TunableOperation *const> cpuOperations();

/// The sizes at which the CPU's operations are tuned, those first that are evaluated while a
/// slider moves; each stands for sizes within a factor of 4. Sparse grids in float, in which
/// studies are evaluated, solvers in both precisions. Small inputs are large enough for so many
/// threads.
std::vector<TuningCase> cpuCases(int threads);

/// The grids of lower levels by whose times that of one whose transform takes long is known: those
/// up to 4 levels below it with at most a quarter of its points, and not too few to be like it.
/// Keys by the level.
std::vector<SmallerInput> smallerTransforms(int dimension, int level,
                                            const std::function<TuningKey(int)> &keyFor);

} // namespace gridhelm::tuning
