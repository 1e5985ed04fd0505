// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/options/option.h"
#include "core/solvers/poisson_problem.h"

#include <cstddef>

namespace gridhelm::solvers {

/// w, above 0 and below 2, live. By default a good one for the problem.
extern const Option relaxationOption;

/// Of lexicographic sweeps. Red-black SOR has no direction.
enum class SweepDirection {
    forward,    ///< SOR
    backward,   ///< SOR
    alternating ///< SSOR: a forward and a backward sweep, two iterations. MLSSOR: K of each.
};
extern const Option directionOption;
SweepDirection directionOf(const OptionValues &options);

/// A sub-domain of MLSSOR is K x M x M: K layers (iterations) of M x M unknowns.
struct MlssorShape
{
    std::size_t layers = 16; ///< K, 1 <= K <= M / 2
    std::size_t width = 32;  ///< M
};
extern const Option shapeOption;
MlssorShape shapeOf(const OptionValues &options);
/// The value of shapeOption.
OptionValue valueOf(const MlssorShape &shape);

/// Red-black: iterations in one pass over memory; 0: as many as suit the cache. The values do not
/// depend on it, nor on the number of threads.
extern const Option passOption;

/// The optimum of SOR for the problem; relaxation.cpp says how good it is for which method.
double optimalRelaxation(const PoissonProblem &problem, const OptionValues &options);
/// A good factor for MLSSOR.
double mlssorRelaxation(const PoissonProblem &problem, const OptionValues &options);

} // namespace gridhelm::solvers
