// SPDX-License-Identifier: GPL-3.0-or-later
//
// The parameters of a study that a run of its simulation gets: all but directions of space, which
// scalar studies have in their grid as well.
#pragma once

#include "core/parameters/parameter_space.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::data {

/// The space without its spatial parameters. Throws gridhelm::Error if nothing is left.
ParameterSpace runSpaceOf(const ParameterSpace &space);

/// Values of `space`, for runSpaceOf(space).
std::vector<double> runValues(const ParameterSpace &space, std::span<const double> values);

/// The simulation of each of these places, which lie side by side in the unit cube: those that
/// differ in time alone have the same number, from 0 on.
std::vector<std::size_t> simulationsOf(const ParameterSpace &space, std::span<const double> places);

/// The reverse of runValues(); spatial parameters are at their lower ends.
std::vector<double> withSpace(const ParameterSpace &space, std::span<const double> runValues);

} // namespace gridhelm::data
