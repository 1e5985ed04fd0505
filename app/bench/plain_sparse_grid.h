// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a careful programmer writes without SIMD, for grids of treatment `zero`: the base lines that
// the engine is measured against.
#pragma once

#include "core/sparse/sparse_grid.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::bench {

/// The plain depth-first loop: one point at a time, products and indices of prefixes shared.
template <typename T>
class PlainInterpolation
{
public:
    PlainInterpolation(const sparse::SparseGrid &grid, std::span<const T> coefficients);

    T operator()(std::span<const T> x);

private:
    void visit(std::size_t t, int remaining, std::uint64_t index, T product);

    std::span<const T> m_coefficients;
    std::size_t m_dimension;
    int m_level;
    std::vector<std::uint64_t> m_offsets; // of the blocks, in the order of the visit
    std::vector<std::uint32_t> m_positions;
    std::vector<T> m_values; // of the basis functions, dimension by dimension, level by level
    std::vector<T> m_tails;  // products of level 0 from a dimension on
    const std::uint64_t *m_next = nullptr;
    T m_sum = 0;
};

/// The plain block-wise hierarchization: for every dimension, for every block from the last to the
/// first, find the blocks above it, and loop over its points.
template <typename T>
void plainHierarchize(const sparse::SparseGrid &grid, std::span<T> values);

} // namespace gridhelm::bench
