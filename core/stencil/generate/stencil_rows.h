// SPDX-License-Identifier: GPL-3.0-or-later
//
// What code for CPUs and GPUs has in common.
#pragma once

#include "core/stencil/stencil.h"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::stencil {

/// How many rows and layers away a neighbour is; a layer is a plane in 3D, a row in 2D.
std::array<int, 2> rowOf(const Stencil &stencil, const Neighbour &neighbour);

/// The rows that hold neighbours, and the one of the point itself, by layer and row.
std::vector<std::array<int, 2>> stencilRows(const Stencil &stencil);

/// Statements that compute `value`, the sum of all products, from texts for the neighbours' values
/// and for the coefficients. `type`: of the values.
std::string groupStatements(const Stencil &stencil, const std::vector<std::string> &values,
                            const std::vector<std::string> &coefficients, const std::string &indent,
                            std::string_view type);

/// Whether ghosts of any of the sides change from iteration to iteration.
bool ghostsMove(std::span<const Side> sides);

/// The table of the sides' rules, in constants.
std::string sideTable(const Stencil &stencil);

} // namespace gridhelm::stencil
