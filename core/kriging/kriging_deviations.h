// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/kriging/model.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::kriging {

/// How far off a model's outputs may be, as the model itself believes: standard deviations of its
/// predictions (docs/theory/surrogates.md, eq:kriging-deviation), to be calibrated by measured
/// errors. Immutable, and thread-safe for concurrent calls.
///
/// A group of outputs that share hyperparameters needs a factored matrix of runs x runs
/// numbers. The first groups have their own, as many as `memory` holds (at least one); outputs of
/// further groups take the last one's, times their own process's variance.
class KrigingDeviations
{
public:
    static constexpr std::size_t defaultMemory = std::size_t{256} << 20; ///< bytes

    /// Factors, with the threads of the context. Throws gridhelm::Error if the model is not sound
    /// (requireSound), or its correlations are singular to round-off.
    KrigingDeviations(const Model &model, const ExecutionContext &context,
                      std::size_t memory = defaultMemory);
    ~KrigingDeviations();

    /// Variances of all outputs at x, one coordinate for each parameter, taken into the unit cube.
    /// Throws gridhelm::Error for another number of coordinates, or ones that are not finite.
    std::vector<double> variances(std::span<const double> x) const;
    /// The standard deviation of a field whose orthonormal modes have the outputs as coefficients,
    /// in the mesh's norm: the root of the sum of all variances.
    double ofField(std::span<const double> x) const;

private:
    struct Parts;
    std::unique_ptr<const Parts> m_parts;
};

} // namespace gridhelm::kriging
