// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kriging/fit_watch.h"
#include "core/kriging/likelihood.h"

#include <vector>

namespace gridhelm::kriging {

/// Where the likelihood is largest, as far as a climb from one start gets.
struct Maximum
{
    Hyperparameters hyperparameters;
    double negativeLogLikelihood = 0; ///< infinity if the likelihood exists nowhere on the way
    int evaluations = 0;
};

inline constexpr double shortestLength = 0.02, longestLength = 100;

/// Climbs with gradients inside of bounds (lengths as above, the smallest nugget as below to 1, log
/// a and log b within three deviations of their prior) until it gains less than 0.001, or has made
/// `evaluations`, which are added to the watch. The start is moved into the bounds. Deterministic.
/// Throws FitStopped.
Maximum climb(const Likelihood &likelihood, const Hyperparameters &start, int evaluations,
              FitWatch &watch);

/// What keeps correlations of this smoothness factorable in double.
double smallestNugget(Smoothness smoothness);

} // namespace gridhelm::kriging
