// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/hierarchization.h"

#include "core/execution/parallel_for.h"
#include "core/sparse/backend.h"
#include "core/sparse/omp/polynomial_poles.h"
#include "core/sparse/unfolded/block_poles.h"
#include "core/sparse/unfolded/unfolded_grid.h"

#include <algorithm>
#include <array>
#include <optional>
#include <ranges>
#include <utility>

namespace gridhelm::sparse::omp {

namespace {

/// Below this many values the threads would only wait for each other.
constexpr std::uint64_t serialPoints = 100000;

constexpr std::array valuesOfPoleCounts{1, 4, 16, 64, 256, 1024};
constexpr std::array valuesOfChunks{256, 512, 1024, 2048, 4096, 8192, 16384};

constexpr TunableConstant polesConstant{.name = "poles",
                                        .meaning = "poles that a thread takes at a time",
                                        .values = valuesOfPoleCounts,
                                        .compiledIn = 16};
constexpr TunableConstant chunkConstant{
    .name = "chunk",
    .meaning = "values of the finest blocks that go through all levels together",
    .values = valuesOfChunks,
    .compiledIn = 2048,
    .partition = 1};
constexpr std::array<const TunableConstant *, 2> hierarchizationConstants{&polesConstant,
                                                                          &chunkConstant};

/// Of these blocks, the first ones of all poles of dimension t that the transform changes.
template <typename Blocks>
std::vector<std::uint32_t> poleStarts(const SparseGrid &grid, int t, const Blocks &blocks,
                                      const std::vector<std::uint32_t> &successors)
{
    const int lowest = lowestLevel(grid.treatment(t));
    const auto d = static_cast<std::size_t>(grid.dimension());
    const auto levels = grid.levelVectors();
    std::vector<std::uint32_t> starts;
    for (const std::uint32_t block : blocks) {
        if (successors[block] != BlockSuccessors::none
            && levels[block * d + static_cast<std::size_t>(t)] == lowest)
            starts.push_back(block);
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

/// One dimension of a grid: what transforms its poles.
template <typename T>
class DimensionTransform
{
public:
    DimensionTransform(Transform transform, const SparseGrid &grid, int t, std::size_t chunk)
        : m_transform(transform)
        , m_grid(grid)
        , m_dimension(t)
        , m_chunk(chunk)
        , m_hasCells(std::ranges::all_of(grid.treatments(), hasCells))
        , m_hasEndPoints(hasEndPoints(grid.treatment(t)))
    {
        if (hasHats(grid.basis(t)))
            m_hats = poleTransform<T>(grid.treatment(t));
        else
            m_polynomials.emplace(grid.basis(t));
    }

    /// The pole that begins with block `start`.
    void operator()(std::uint32_t start, const std::vector<std::uint32_t> &successors,
                    const std::vector<T *> &pointers) const
    {
        const auto vector = m_grid.levelVector(start);
        int outerBits = 0, strideBits = 0;
        for (int u = 0; u < m_dimension; ++u)
            outerBits += bitsOf(vector, u);
        for (int u = m_dimension + 1; u < m_grid.dimension(); ++u)
            strideBits += bitsOf(vector, u);
        std::array<T *, maximumStates> levels;
        std::size_t count = 0;
        for (auto block = start; block != BlockSuccessors::none; block = successors[block])
            levels[count++] = pointers[block];
        const std::span<T *const> all(levels.data(), count);
        const auto outer = std::size_t{1} << outerBits, stride = std::size_t{1} << strideBits;
        if (m_polynomials)
            m_polynomials->transform(m_transform, all, outer, stride);
        else
            m_hats(m_transform, {m_hasEndPoints ? all.subspan(1) : all,
                                 m_hasEndPoints ? all.front() : nullptr, outer, stride, m_chunk});
    }

private:
    int bitsOf(LevelVectorView levels, int u) const
    {
        const auto level = levels[static_cast<std::size_t>(u)];
        return m_hasCells ? bitsInDimension(level) : bitsOfLevel(m_grid.treatment(u), level);
    }

    Transform m_transform;
    const SparseGrid &m_grid;
    int m_dimension;
    std::size_t m_chunk;
    bool m_hasCells; ///< all dimensions
    bool m_hasEndPoints;
    PoleTransform<T> m_hats = nullptr;
    std::optional<PolynomialPoles<T>> m_polynomials;
};

/// Dimensions first .. second - 1, of these blocks.
template <typename T, typename Blocks>
void transformDimensions(Transform transform, std::pair<int, int> dimensions,
                         const SparseGrid &grid, const Blocks &blocks, std::span<T> values,
                         const CpuDevice &cpu, const HierarchizationConstants &constants)
{
    grid.requireOneValuePerPoint(values.size());
    const auto used = grid.points() < serialPoints ? CpuDevice{} : cpu;
    BlockSuccessors successors(grid);
    const auto pointers = blockPointers(grid, values.data());
    const auto [first, end] = dimensions;
    for (int i = 0; i < end - first; ++i) {
        const int t = transform == Transform::hierarchize ? first + i : end - 1 - i;
        const auto &next = successors.inDimension(t);
        const auto starts = poleStarts(grid, t, blocks, next);
        const DimensionTransform<T> transformPole(transform, grid, t,
                                                  static_cast<std::size_t>(constants.chunk));
        // Poles write disjoint blocks and read only their own.
        parallelFor(starts.size(), used, static_cast<std::size_t>(constants.poles),
                    [&](std::size_t s) { transformPole(starts[s], next, pointers); });
    }
}

} // namespace

constinit const TunableOperation hierarchizationTunable{"hierarchization", "cpu",
                                                        hierarchizationConstants};

HierarchizationConstants::HierarchizationConstants(const TuningTable &table, std::size_t valueBytes,
                                                   const SparseGrid &grid)
{
    const auto key = keyOf(hierarchizationTunable, valueBytes, static_cast<double>(grid.points()),
                           grid.dimension());
    poles = tunedValue(polesConstant, table, key);
    chunk = tunedValue(chunkConstant, table, key);
}

template <typename T>
void transformGrid(Transform transform, const SparseGrid &grid, std::span<T> values,
                   const CpuDevice &cpu, const HierarchizationConstants &constants)
{
    // No more than 2^32 - 2, or BlockSuccessors throws.
    const auto blocks =
        std::views::iota(std::uint32_t{0}, static_cast<std::uint32_t>(grid.blocks()));
    transformDimensions(transform, {0, grid.dimension()}, grid, blocks, values, cpu, constants);
}

template <typename T>
void transformGridPart(const TransformPart &part, const SparseGrid &grid, std::span<T> values,
                       const CpuDevice &cpu, const HierarchizationConstants &constants)
{
    transformDimensions(part.transform, {part.firstDimension, part.endDimension}, grid, part.blocks,
                        values, cpu, constants);
}

template void transformGrid<float>(Transform, const SparseGrid &, std::span<float>,
                                   const CpuDevice &, const HierarchizationConstants &);
template void transformGrid<double>(Transform, const SparseGrid &, std::span<double>,
                                    const CpuDevice &, const HierarchizationConstants &);
template void transformGridPart<float>(const TransformPart &, const SparseGrid &, std::span<float>,
                                       const CpuDevice &, const HierarchizationConstants &);
template void transformGridPart<double>(const TransformPart &, const SparseGrid &,
                                        std::span<double>, const CpuDevice &,
                                        const HierarchizationConstants &);

} // namespace gridhelm::sparse::omp

namespace gridhelm::sparse {
namespace {

template <typename T>
ComputedOn transformOnCpu(const ExecutionContext &context, const SparseGrid &grid,
                          const TransformPart &part, std::span<T> values)
{
    omp::transformGridPart(part, grid, values, context.cpu(), {context.tuning(), sizeof(T), grid});
    return ComputedOn::cpu();
}

} // namespace

ComputedOn Backend::transformPart(const SparseGrid &grid, const TransformPart &part,
                                  std::span<double> values) const
{
    return transformOnCpu(context(), grid, part, values);
}

ComputedOn Backend::transformPart(const SparseGrid &grid, const TransformPart &part,
                                  std::span<float> values) const
{
    return transformOnCpu(context(), grid, part, values);
}

} // namespace gridhelm::sparse
