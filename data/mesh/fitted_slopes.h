// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/vector_3.h"

#include <span>
#include <vector>

namespace gridhelm::data {

/// The slope of the linear function through the value `here` that fits those of others best
/// (squares over distances): the sum over others of what comes times (the value there - the value
/// here). Exact for linear functions; directions in which the places do not differ have no slope,
/// and places upon `here` count for nothing.
std::vector<Vector3> fittedSlopes(const Vector3 &here, std::span<const Vector3> others);

} // namespace gridhelm::data
