// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/precision.h"

#include <cstddef>
#include <optional>

namespace gridhelm::solvers {

enum class SorMethod {
    sequential, ///< unknown after unknown, x fastest; 2D
    redBlack,   ///< all unknowns with even i + j + k, then all others; 2D and 3D
    mlssor      ///< multi-layer SSOR in tiles [Di2010]; 2D
};

/// Of lexicographic sweeps. Red-black SOR has no direction.
enum class SweepDirection {
    forward,    ///< SOR
    backward,   ///< SOR
    alternating ///< SSOR: a forward and a backward sweep, two iterations. MLSSOR: K of each.
};

/// A sub-domain of MLSSOR is K x M x M: K layers (iterations) of M x M unknowns.
struct MlssorShape
{
    std::size_t layers = 16; ///< K, 1 <= K <= M / 2
    std::size_t width = 32;  ///< M
};

struct SorSettings
{
    SorMethod method = SorMethod::redBlack;
    SweepDirection direction = SweepDirection::alternating;
    /// w, 0 < w < 2. By default defaultRelaxation().
    std::optional<double> relaxation;
    MlssorShape shape;
    Precision precision = Precision::float64;
    /// Red-black: iterations in one pass over memory; 0: as many as suit the cache. The values do
    /// not depend on it, nor on the number of threads.
    unsigned iterationsPerPass = 0;
};

} // namespace gridhelm::solvers
