// SPDX-License-Identifier: GPL-3.0-or-later
//
// Split-conformal calibration of an error indicator: how far a surrogate may be off, for a stated
// share of places (eq:conformal-score and eq:conformal-bound; [Papadopoulos2002], [Lei2018]).
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace gridhelm {

/// What one hold-out says: norms of the surrogate's error and of its indicator there, in one unit.
struct HeldOutError
{
    double error = 0;
    double indicator = 0;
};

/// The error by indicator and floor. Where floor is 0, an indicator of 0 says nothing: then the
/// indicator does not count, and the score is the error.
inline double scoreOf(const HeldOutError &run, double floor)
{
    return floor > 0 ? run.error / (run.indicator + floor) : run.error;
}

/// The error is at most radius(indicator) at `coverage` of the places, if places are drawn as the
/// hold-outs were (uniformly at random, say). On average over hold-outs that might have been drawn:
/// nineteen of them cover 85 to 99.7 % of places, 95 % on average.
struct ErrorBand
{
    double factor = 0; ///< of the indicator
    double offset = 0; ///< in the unit of the norms
    double coverage = 0;
    std::size_t holdOuts = 0; ///< that it was made of; 0: crossValidatedBand()

    bool isCrossValidated() const { return holdOuts == 0; }
    double radius(double indicator) const { return factor * indicator + offset; }
    bool operator==(const ErrorBand &) const = default;
};

/// The coverage that so many hold-outs can be claimed for: 95 % from 19 on, 90 % from 9 on, N / (N
/// + 1) of fewer.
double claimableCoverage(std::size_t holdOuts);

/// The band whose factor (where floor is 0: offset) is the k-th smallest score of N,
/// k = ceil((N + 1) coverage). `floor`, at least 0, must not be chosen by what is in `runs`.
/// Nothing without hold-outs, and if any number is not finite or negative.
std::optional<ErrorBand> calibratedBand(std::span<const HeldOutError> runs, double floor);

/// The same of a surrogate's own runs, each predicted without a tenth of them that it is in, for
/// nine places of ten: about that, if the runs were placed as places are drawn
/// (docs/benchmarks/accuracy.md has the shares that were measured). Nothing for fewer than nine.
std::optional<ErrorBand> crossValidatedBand(std::span<const HeldOutError> runs, double floor);

} // namespace gridhelm
