// SPDX-License-Identifier: GPL-3.0-or-later
//
// What each parameter has to do with a response's variance where parameters go together, so that
// Sobol' indices mean nothing (docs/theory/analysis.md; [Owen2014], [Song2016]).
#pragma once

#include "core/answers/sobol_indices.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace gridhelm::answers {

/// Shares of the variance, none negative in truth, that add up to 1. All 0 where the response is
/// constant.
struct ShapleyEffects
{
    double mean = 0;
    double variance = 0;
    bool isConstant = false;
    std::vector<double> effects;
    bool isExact = false;       ///< of the surrogate; else by sampling, with standard errors
    std::vector<double> errors; ///< empty where exact
    std::size_t evaluations = 0;
};

/// Parameters that may vary where effects are sampled: each set of them takes evaluations.
inline constexpr std::size_t mostShapleyParameters = 10;

/// Of one column of an expansion, and so of independent parameters: what several parameters do
/// together belongs to each of them in equal parts.
ShapleyEffects shapleyEffects(const OrthogonalExpansion &expansion, std::size_t column);

/// With v(u), the variance of the response's mean given the parameters u, an effect is the mean of
/// what its parameter adds to v over all orders in which parameters may become known. For each set
/// u the parameters that are not in it are drawn anew, given those that are, as the Gaussian copula
/// says: (2^m - 1) x `samples` evaluations for m parameters that vary, in 16 independent
/// scramblings of Sobol' points, whose spread is the standard error. Throws gridhelm::Error for
/// more than mostShapleyParameters, fewer than 256 samples, samples that go together row by row, of
/// which nobody knows what they are given some of them, and correlated samples with so few
/// different values that they leave more than 1 % of their normal variable's variance open.
ShapleyEffects shapleyBySampling(const ResponseAt &response, const Inputs &inputs,
                                 std::size_t samples, std::uint64_t seed, const CpuDevice &cpu);

/// Samples that are enough; `isSlow`: a field has to be evaluated for each.
constexpr std::size_t usualShapleySamples(bool isSlow)
{
    return isSlow ? 512 : 8192;
}

/// Of the model's first response: exact where parameters are independent and the surrogate is a
/// sparse grid that can be expanded, else by sampling. `stop`: see sobolIndices().
ShapleyEffects shapleyEffects(const ResponseModel &model, const Inputs &inputs, std::size_t samples,
                              std::uint64_t seed, const CpuDevice &cpu,
                              const std::function<bool()> &stop = {});

} // namespace gridhelm::answers
