// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>

namespace gridhelm {

/// The error of a surrogate when it knew so many runs.
struct ErrorAtRuns
{
    double runs = 0;
    double error = 0;
};

/// How many runs an error would take, if it went on falling as it has: by a power of the runs,
/// fitted (least squares of logarithms) to what was found with at least an eighth of the most runs.
/// The present number of runs if it is that small already. Nothing where the points tell no fall:
/// fewer than two, none with less than two thirds of the most runs, or a power that would take more
/// than a thousand times as many. `wished` > 0.
std::optional<double> runsForError(std::span<const ErrorAtRuns> curve, double wished);

} // namespace gridhelm
