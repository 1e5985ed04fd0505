// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/hierarchization.h"

#include "core/sparse/omp/block_poles.h"
#include "core/support/parallel_for.h"

#include <array>

namespace gridhelm::sparse::omp {

namespace {

/// Below this many values the threads would only wait for each other.
constexpr std::uint64_t serialPoints = 100000;

/// The first blocks of all poles of dimension t that the transform changes.
std::vector<std::uint32_t> poleStarts(const SparseGrid &grid, int t,
                                      const std::vector<std::uint32_t> &successors)
{
    const int lowest = lowestLevel(grid.treatment(t));
    const auto d = static_cast<std::size_t>(grid.dimension());
    const auto levels = grid.levelVectors();
    std::vector<std::uint32_t> starts;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        if (successors[block] != BlockSuccessors::none
            && levels[block * d + static_cast<std::size_t>(t)] == lowest)
            starts.push_back(static_cast<std::uint32_t>(block));
    }
    return starts;
}

template <typename T>
void transformFrom(std::uint32_t start, Transform transform, const SparseGrid &grid, int t,
                   const std::vector<std::uint32_t> &successors, T *values)
{
    const auto vector = grid.levelVector(start);
    int outerBits = 0, strideBits = 0;
    for (int u = 0; u < grid.dimension(); ++u) {
        if (u != t)
            (u < t ? outerBits : strideBits) += bitsInDimension(vector[static_cast<std::size_t>(u)]);
    }
    std::array<T *, maximumLevel> levels;
    std::size_t count = 0;
    const T *endPoints = nullptr;
    auto block = start;
    if (grid.treatment(t) == BoundaryTreatment::boundary) {
        endPoints = values + grid.blockOffset(block);
        block = successors[block];
    }
    for (; block != BlockSuccessors::none; block = successors[block])
        levels[count++] = values + grid.blockOffset(block);
    transformPole<T>(transform, grid.treatment(t),
                     {{levels.data(), count},
                      endPoints,
                      std::size_t{1} << outerBits,
                      std::size_t{1} << strideBits});
}

} // namespace

template <typename T>
void transformGrid(Transform transform, const SparseGrid &grid, std::span<T> values, int threads)
{
    grid.requireOneValuePerPoint(values.size());
    if (grid.points() < serialPoints)
        threads = 1;
    BlockSuccessors successors(grid);
    const int d = grid.dimension();
    for (int i = 0; i < d; ++i) {
        const int t = transform == Transform::hierarchize ? i : d - 1 - i;
        const auto &next = successors.inDimension(t);
        const auto starts = poleStarts(grid, t, next);
        // Poles write disjoint blocks and read only their own.
        parallelFor(starts.size(), threads, 16, [&](std::size_t s) {
            transformFrom(starts[s], transform, grid, t, next, values.data());
        });
    }
}

template void transformGrid<float>(Transform, const SparseGrid &, std::span<float>, int);
template void transformGrid<double>(Transform, const SparseGrid &, std::span<double>, int);

} // namespace gridhelm::sparse::omp
