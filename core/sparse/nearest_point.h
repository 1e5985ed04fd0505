// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/sparse_grid.h"

#include <cstdint>
#include <optional>
#include <span>

namespace gridhelm::sparse {

/// The grid point whose coordinates are these, each within `tolerance`; the coarsest that will do.
std::optional<std::uint64_t> pointNear(const SparseGrid &grid, std::span<const double> x,
                                       double tolerance);

} // namespace gridhelm::sparse
