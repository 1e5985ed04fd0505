// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be told from a stencil's weights.
#pragma once

#include "core/execution/device.h"
#include "core/stencil/stencil.h"

#include <array>
#include <complex>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::stencil {

/// Neighbours of one weight, which are added up before they are multiplied: as many products as
/// there are different weights.
struct WeightGroup
{
    Expression weight;
    std::vector<std::size_t> neighbours; ///< in their order
};

/// In the order in which the weights appear first.
std::vector<WeightGroup> weightGroups(const Stencil &stencil);

/// Of one value: additions and multiplications of generated code, those of weights included.
std::size_t operationsPerValue(const Stencil &stencil);

/// Whether w at d is w at -d for all neighbours, and no weight depends on the place.
bool isSymmetric(const Stencil &stencil);

/// Weights that are products of one factor for each direction, from -radius to radius: as many
/// factors as operations, instead of their product. None if they are not, or not constant.
std::optional<std::array<std::vector<double>, 3>> separableFactors(const Stencil &stencil);

/// What an iteration multiplies the wave exp(i theta . d) by, if the weights are constant.
std::complex<double> symbolAt(const Stencil &stencil, const std::array<double, 3> &theta);

/// A bound on the growth of u by an iteration without source, beyond which runs diverge; at least
/// the spectral radius to the resolution with which it is looked for.
struct SpectralBound
{
    double value = 0;
    bool isSharp = false; ///< by the symbol (constant weights); else by the sums of |w|
    /// It is the factor of a wave of this grid, whose sides are all periodic; other sides may keep
    /// what would grow from growing.
    bool isOfThisGrid = false;
};

SpectralBound spectralBound(const Stencil &stencil, const CpuDevice &cpu = CpuDevice{});

/// The sentence that warns of a bound above 1 + 1e-6; empty if there is nothing to warn of.
std::string divergenceWarning(const SpectralBound &bound);

} // namespace gridhelm::stencil
