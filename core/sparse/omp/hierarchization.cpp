// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/hierarchization.h"

#include "core/execution/parallel_for.h"
#include "core/sparse/unfolded/block_poles.h"

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

/// Where every block's values begin.
template <typename T>
std::vector<T *> blockPointers(const SparseGrid &grid, T *values)
{
    std::vector<T *> pointers;
    pointers.reserve(grid.blocks());
    for (const auto &blockClass : grid.blockClasses()) {
        T *next = values + blockClass.firstPoint;
        for (std::size_t i = 0; i < blockClass.blocks;
             ++i, next += std::size_t{1} << blockClass.blockBits)
            pointers.push_back(next);
    }
    return pointers;
}

template <typename T>
void transformFrom(std::uint32_t start, Transform transform, const SparseGrid &grid, int t,
                   const std::vector<std::uint32_t> &successors, const std::vector<T *> &pointers,
                   PoleTransform<T> transformPole)
{
    const auto vector = grid.levelVector(start);
    int outerBits = 0, strideBits = 0;
    for (int u = 0; u < t; ++u)
        outerBits += bitsInDimension(vector[static_cast<std::size_t>(u)]);
    for (int u = t + 1; u < grid.dimension(); ++u)
        strideBits += bitsInDimension(vector[static_cast<std::size_t>(u)]);
    std::array<T *, maximumLevel> levels;
    std::size_t count = 0;
    const T *endPoints = nullptr;
    auto block = start;
    if (hasEndPoints(grid.treatment(t))) {
        endPoints = pointers[block];
        block = successors[block];
    }
    for (; block != BlockSuccessors::none; block = successors[block])
        levels[count++] = pointers[block];
    transformPole(transform, {{levels.data(), count},
                              endPoints,
                              std::size_t{1} << outerBits,
                              std::size_t{1} << strideBits});
}

} // namespace

template <typename T>
void transformGrid(Transform transform, const SparseGrid &grid, std::span<T> values,
                   const CpuDevice &cpu)
{
    grid.requireOneValuePerPoint(values.size());
    const auto used = grid.points() < serialPoints ? CpuDevice{} : cpu;
    BlockSuccessors successors(grid);
    const auto pointers = blockPointers(grid, values.data());
    const int d = grid.dimension();
    for (int i = 0; i < d; ++i) {
        const int t = transform == Transform::hierarchize ? i : d - 1 - i;
        const auto &next = successors.inDimension(t);
        const auto starts = poleStarts(grid, t, next);
        const auto transformPole = poleTransform<T>(grid.treatment(t));
        // Poles write disjoint blocks and read only their own.
        parallelFor(starts.size(), used, 16, [&](std::size_t s) {
            transformFrom(starts[s], transform, grid, t, next, pointers, transformPole);
        });
    }
}

template void transformGrid<float>(Transform, const SparseGrid &, std::span<float>,
                                   const CpuDevice &);
template void transformGrid<double>(Transform, const SparseGrid &, std::span<double>,
                                    const CpuDevice &);

} // namespace gridhelm::sparse::omp
