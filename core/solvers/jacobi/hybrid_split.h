// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a fast device and a slower one divide a grid for Jacobi's iterations: by what both take for
// some layers, rows (2D) or planes (3D), which is measured before the iterations begin
// ([Venkatasubramanian2009], section 4.1; lines as in [Murarasu2013], Eq. 6.4 and 6.5).
#pragma once

#include "core/solvers/jacobi/paired_shares.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace gridhelm::solvers::jacobi {

/// Makes the shares of one of them: a grid's first `layers` (the fast one), or its last (the
/// slower one). Null messages if these are all that the grid has.
template <typename T>
using LayersMaker =
    std::function<std::unique_ptr<Shares<T>>(const PoissonProblem &problem, std::size_t layers,
                                             const std::shared_ptr<Messages> &messages, int other)>;

template <typename T>
struct HybridDevices
{
    LayersMaker<T> makeFast;
    LayersMaker<T> makeSlow;
    std::size_t granule = 1; ///< the fast one has a multiple of so many layers
    int depth = 1;           ///< iterations between two exchanges
};

template <typename T>
std::unique_ptr<Shares<T>> makeHybrid(const HybridDevices<T> &devices,
                                      const PoissonProblem &problem, std::size_t layersOfSlow);

struct HybridSplit
{
    std::size_t layersOfSlow = 0; ///< 0: the fast one is faster alone
    double secondsAlone = 0;    ///< of an iteration by the fast one; by its line, if none was tried
    double secondsTogether = 0; ///< if they were tried
};
/// Takes some tenths of a second, and for the trial as much memory as the grid itself, which is
/// free again afterwards.
template <typename T>
HybridSplit measuredSplit(const HybridDevices<T> &devices, const PoissonProblem &problem);

} // namespace gridhelm::solvers::jacobi
