// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace gridhelm::kriging {

/// What a surrogate is fitted to: places in the unit cube, and what came out there.
struct Runs
{
    std::size_t runs = 0;
    int dimension = 0;       ///< parameters
    std::size_t outputs = 0; ///< numbers of a run, e.g. coefficients of its modes

    std::vector<double> places; ///< runs x dimension, a run's coordinates side by side
    std::vector<double> values; ///< runs x outputs, a run's numbers side by side
};

/// Throws gridhelm::Error unless there are at least two runs, a parameter and an output, the arrays
/// have the sizes above, every coordinate is in [0, 1], and every value is finite.
void requireUsable(const Runs &runs);

/// At most `count` runs that are spread over the cube: the one nearest to the middle, then always
/// the one that is furthest from those that were taken (the first of equals); ascending. What is
/// taken depends on nothing but the places.
std::vector<std::size_t> spreadSubset(const Runs &runs, std::size_t count);

/// Only these runs.
Runs onlyRuns(const Runs &runs, const std::vector<std::size_t> &which);
/// Only the outputs from `first` to before `end`.
Runs onlyOutputs(const Runs &runs, std::size_t first, std::size_t end);

/// The parameters that are not the same in all runs, ascending.
std::vector<int> varyingParameters(const Runs &runs);

} // namespace gridhelm::kriging
