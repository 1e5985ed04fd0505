// SPDX-License-Identifier: GPL-3.0-or-later
//
// All parameters that explain what was measured, as often as they are likely: samples of the
// posterior, by the affine-invariant ensemble sampler of [Goodman2010].
#pragma once

#include "core/answers/matching.h"
#include "core/execution/device.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace gridhelm::answers {

struct PosteriorOptions
{
    std::size_t samples = 100'000; ///< that are kept, about
    std::size_t ensembles = 4;     ///< that know nothing of each other
    std::size_t walkers = 0;       ///< of each; 0: four for each unknown, at least 16
    double burnIn = 0.3;           ///< share of the steps that is thrown away
    std::uint64_t seed = 1;
    CpuDevice cpu = {};
    std::function<bool()> stop = {}; ///< asked between steps
};

struct Posterior
{
    std::vector<std::size_t> unknowns;       ///< parameters
    std::vector<std::vector<double>> values; ///< of each unknown its samples, in the unit cube
    std::vector<double> rHats;               ///< of each unknown, of ensembles and their halves
    std::vector<double> effective;           ///< samples, of each unknown
    std::vector<double> means, deviations;   ///< in the unit cube
    /// Of each unknown: its deviation after, over that before anything was measured, both as shares
    /// of the prior; near 1 the measurements tell nothing of it.
    std::vector<double> leftOver;
    double acceptance = 0;
    std::size_t evaluations = 0;
    /// All R-hats are below 1.01, and there are 400 independent samples of each unknown.
    bool hasConverged = false;
    bool cancelled = false;
};

/// log of the likelihood at a place of the prior: shares u of the inputs, in (0, 1), for which the
/// prior is uniform.
using LogLikelihood = std::function<double(std::span<const double> u)>;

/// Samples of exp(logLikelihood) on the unit cube of `dimension` shares; unknowns are 0, 1, ...
/// Deterministic for any number of threads. Throws gridhelm::Error if memory does not suffice for
/// the samples.
Posterior samplePosterior(const LogLikelihood &logLikelihood, std::size_t dimension,
                          const PosteriorOptions &options);

/// Of a matching, with the inputs (independent, one for each parameter) as prior. Values are places
/// in the unit cube.
Posterior samplePosterior(const Matching &matching, const Inputs &prior,
                          const PosteriorOptions &options);

} // namespace gridhelm::answers
