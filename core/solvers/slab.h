// SPDX-License-Identifier: GPL-3.0-or-later
//
// A grid divided among devices: each has some of its rows (2D) or planes (3D), side by side.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace gridhelm {
class ExecutionContext;
}

namespace gridhelm::solvers {

/// Rows (2D) or planes (3D) begin .. end - 1 of the `of` that a grid has; at least one.
struct Slab
{
    std::size_t begin = 0;
    std::size_t end = 1;
    std::size_t of = 1;

    std::size_t size() const { return end - begin; }
    /// Whether another slab comes before it or after it.
    bool hasLower() const { return begin > 0; }
    bool hasUpper() const { return end < of; }

    bool operator==(const Slab &) const = default;
};

/// The slab with so many rows or planes of its neighbours', as far as there are.
Slab widened(const Slab &slab, std::size_t layers);

/// A grid of `size` rows or planes as slabs in order, one for each weight, about as large as the
/// weights say. All begin at a multiple of `granule` (the rows of a tile, which never straddles a
/// border), and none is empty: where there are fewer granules than weights, the first weights get
/// one each, and the others no slab. Throws gridhelm::Error unless there is a weight, all are above
/// 0, and so are size and granule.
std::vector<Slab> divided(std::size_t size, std::size_t granule, std::span<const double> weights);

/// Tells the context which of its team's devices, or which rank, has which slab; `layers`: "rows"
/// or "planes".
void reportShares(const std::vector<Slab> &slabs, const std::string &layers,
                  const ExecutionContext &context);

} // namespace gridhelm::solvers
