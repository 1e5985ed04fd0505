// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which parameters a response's variance comes from (docs/theory/analysis.md; [Sobol1993],
// [Saltelli2010], [Jansen1999]).
#pragma once

#include "core/answers/orthogonal_expansion.h"
#include "core/answers/response_model.h"
#include "core/execution/device.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gridhelm::answers {

/// Shares of the variance. All 0 where the response is constant.
struct SobolIndices
{
    double mean = 0;
    double variance = 0;
    bool isConstant = false;   ///< to round-off: there is no variance to share out
    std::vector<double> first; ///< by the parameter alone, averaged over all others
    std::vector<double> total; ///< by the parameter in any company
    std::vector<double> pairs; ///< dimension x dimension: by both together, beyond either alone
    bool isExact = false;      ///< of the surrogate; else by sampling, with standard errors
    std::size_t evaluations = 0;
    std::vector<double> firstErrors, totalErrors;
    double meanError = 0;
};

/// Of one column of an expansion: exact for the surrogate that it is of.
SobolIndices sobolIndices(const OrthogonalExpansion &expansion, std::size_t column);

/// A response at a place of the unit cube; called from several threads at once.
using ResponseAt = std::function<double(std::span<const double> x)>;

/// By (dimension + 2) x `samples` evaluations, in 16 independent scramblings of Sobol' points,
/// whose spread is the standard error (Jansen's estimators). Without pairs. Throws gridhelm::Error
/// for inputs that are correlated, and fewer than 256 samples.
SobolIndices sobolBySampling(const ResponseAt &response, const Inputs &inputs, std::size_t samples,
                             std::uint64_t seed, const CpuDevice &cpu);

/// Samples that are enough where indices are not exact; `isSlow`: a field has to be evaluated for
/// each.
constexpr std::size_t usualSobolSamples(bool isSlow)
{
    return isSlow ? 2048 : 16'384;
}

/// Exact where the surrogate is a sparse grid that can be expanded, else by sampling: one for each
/// response of the model. `stop`: asked at each evaluation, from several threads; once it says so,
/// gridhelm::Error is thrown.
std::vector<SobolIndices> sobolIndices(const ResponseModel &model, const Inputs &inputs,
                                       std::size_t samples, std::uint64_t seed,
                                       const CpuDevice &cpu,
                                       const std::function<bool()> &stop = {});

} // namespace gridhelm::answers
