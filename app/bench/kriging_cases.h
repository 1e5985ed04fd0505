// SPDX-License-Identifier: GPL-3.0-or-later
//
// What kriging is measured with: functions of five parameters, their runs on Latin hypercubes, and
// the coefficients of a field's modes.
#pragma once

#include "core/execution/execution_context.h"
#include "core/kriging/fit.h"
#include "core/kriging/runs.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::bench {

struct KrigingFunction
{
    const char *name;
    double (*value)(std::span<const double> x);
};

/// Smooth, oscillating, a bump, nearly polynomial, a front; all of five parameters.
inline constexpr int krigingParameters = 5;
std::span<const KrigingFunction> krigingFunctions();

/// A Latin hypercube whose runs are far from each other: coordinates of pairs are swapped as long
/// as the nearer of the two comes no closer to another run (maximin, locally); runs side by side,
/// reproducible by the seed.
std::vector<double> spreadLatinHypercube(std::size_t runs, int dimension, std::uint64_t seed);
/// The first places of a space-filling design (core/surrogate/filling_places.h).
std::vector<double> fillingDesign(std::size_t runs, int dimension, std::uint64_t seed);
/// Uniform in the unit cube; reproducible by the seed.
std::vector<double> uniformPlaces(std::size_t count, int dimension, std::uint64_t seed);

/// One output, the function's values.
kriging::Runs runsOf(const KrigingFunction &function, std::vector<double> places);
struct ModalField
{
    int nodes = 0;
    kriging::Runs coefficients;       ///< of orthonormal modes, most important first
    std::vector<double> cutEnergies;  ///< of each snapshot, what the modes leave
    std::vector<double> squaredNorms; ///< of whole snapshots
};

/// Two plumes on 64 x 64 nodes, a field of five parameters, and its leading modes (at most as many
/// as runs).
ModalField plumeModes(std::vector<double> places, std::size_t modes);

/// What a surrogate of one output is off at `tests`, relative, in the 2-norm.
double relativeError(const kriging::Model &model, const kriging::Runs &tests);

} // namespace gridhelm::bench
