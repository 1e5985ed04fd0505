// SPDX-License-Identifier: GPL-3.0-or-later
//
// The kernel of generated CUDA code: one iteration, from `u` to `to`.
#pragma once

#include "core/stencil/stencil.h"

#include <array>
#include <string>

namespace gridhelm::stencil {

struct CudaKernel
{
    std::string text;               ///< of iterate(), and what it needs
    std::array<int, 2> block{1, 1}; ///< threads of a block
    int unknowns = 1;               ///< of a thread, one behind the other
    int rowsAtOnce = 1;             ///< of a thread in 3D, and so many planes
    bool isWide = false;            ///< 16 bytes side by side, or one value
    int levels = 1; ///< iterations of a pass; above 1 there is iterateSeveral() as well
};

/// Weights that are numbers: each thread marches through layers, and adds each one, when it comes,
/// to all the results that it is a neighbour of; so values are read from memory once. Other
/// weights: each thread gathers the neighbours of each of its points.
CudaKernel cudaKernel(const Stencil &stencil);

} // namespace gridhelm::stencil
