// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast generated code iterates, beside a copy and beside the built-in methods.
#pragma once

#include "core/execution/execution_context.h"
#include "core/stencil/stencil.h"
#include "data/stencil/stencil_solver.h"

#include <cstddef>
#include <string>
#include <vector>

namespace gridhelm::bench {

struct NamedStencil
{
    std::string name;
    stencil::Stencil stencil;
};

/// The program's examples in float, on squares of so many points a side, or cubes.
std::vector<NamedStencil> exampleStencils(std::size_t side2d, std::size_t side3d);
/// "star2d1r" to "star2d4r", "box2d1r", ..., "star3d4r", "box3d2r", as publications on stencils
/// call them: each neighbour has a weight of its own, sides have the value 0.
std::vector<NamedStencil> shapedStencils(std::size_t side2d, std::size_t side3d);

struct RateOptions
{
    double seconds = 0.3; ///< that is timed at least
    int repeats = 3;      ///< of which the median counts
};

struct StencilRate
{
    std::string code; ///< "generated", "tuned", "temporal"
    int iterationsPerPass = 1;
    double updatesPerSecond = 0;
    double compileSeconds = 0;
};

/// Of generated code, with so many iterations a pass. Throws gridhelm::Error where the device
/// cannot.
StencilRate generatedRate(const stencil::Stencil &stencil, int iterationsPerPass,
                          const data::StencilMeans &means, const ExecutionContext &context,
                          const RateOptions &options);
/// Of the built-in Jacobi methods, on a grid of these sides and in this precision.
std::vector<StencilRate> builtInRates(const stencil::Stencil &stencil, bool isGpu,
                                      const ExecutionContext &context, const RateOptions &options);
/// Whether these do what the stencil does: 5 points in 2D, or 7 in 3D, of equal weights.
bool hasBuiltIn(const stencil::Stencil &stencil);

/// Bytes that go through the memory for an update, if each list is read or written once.
double bytesPerUpdate(const stencil::Stencil &stencil);

} // namespace gridhelm::bench
