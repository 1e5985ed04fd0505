// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stencil's grid that several devices share.
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/slab.h"
#include "core/stencil/stencil_iterations.h"
#include "core/stencil/stencil_part.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::stencil {

/// One device of those that share a grid.
template <typename T>
struct StencilMember
{
    MakeStencilPart<T> make;
    std::size_t group = 0; ///< those of one group are moved by one thread
    double weight = 1;     ///< how fast it is beside the others
};

/// Who gets which layers, and how many iterations are made between two exchanges.
struct StencilDivision
{
    std::vector<solvers::Slab> slabs; ///< one for each member, or for the first of them
    std::uint64_t depth = 1;
};

/// Slabs in proportion to the weights, as many as the grid has room for: each holds what its
/// neighbours need of it. `depth` 0: as suits, so that the layers that are computed twice are few.
StencilDivision dividedLayers(const Stencil &stencil, const std::vector<double> &weights,
                              std::uint64_t depth = 0);

/// Each member has its slab and `depth` radii of its neighbours', which it computes as well, and
/// gets again after so many iterations. The values are those of one device bit for bit if all
/// devices add and multiply in the same way. Tells the context, whose team the members are, who has
/// what. The stencil outlives it.
template <typename T>
std::unique_ptr<StencilIterations<T>>
makeDividedIterations(const Stencil &stencil, const std::vector<StencilMember<T>> &members,
                      const StencilDivision &division, const ExecutionContext &context);

/// Layers a second, by a trial of some layers of the grid, which takes some hundredths of a second.
template <typename T>
double measuredSpeed(const Stencil &stencil, const MakeStencilPart<T> &make);

} // namespace gridhelm::stencil
