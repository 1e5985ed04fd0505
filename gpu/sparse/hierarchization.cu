// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/hierarchization.h"

#include "core/sparse/unfolded/block_poles.h"
#include "core/sparse/unfolded/state_functions.h"
#include "gpu/sparse/pole.cuh"
#include "gpu/sparse/polynomial_poles.h"

#include <algorithm>
#include <span>

namespace gridhelm::gpu {

namespace {

using sparse::SparseGrid;

/// What the levels above predict for the outermost point of a level >= 1 without end points.
template <typename T, typename Treatment, sparse::End end>
__device__ T predictedAtEnd(const Pole<T> &pole, int level, std::uint32_t outer,
                            std::uint32_t inner)
{
    constexpr auto ends = Treatment::ends;
    if (level == 1) {
        constexpr auto parents = sparse::predictOutermost(ends, end, 1);
        static_assert(parents.firstLevel == 0 && parents.secondLevel == 0);
        return static_cast<T>(parents.firstWeight + parents.secondWeight)
               * pole.at(0, outer, 0, inner);
    }
    __builtin_assume(level > 1); // so that the weights are constants
    const auto parents = sparse::predictOutermost(ends, end, level);
    const auto valueAt = [&](int above) {
        return pole.at(above, outer, end == sparse::End::low ? 0 : (1U << above) - 1, inner);
    };
    return static_cast<T>(parents.firstWeight) * valueAt(parents.firstLevel)
           + static_cast<T>(parents.secondWeight) * valueAt(parents.secondLevel);
}

/// What the relatives of a point predict for its value (eq:surplus, eq:surplus-modified).
template <typename T, typename Treatment>
__device__ T prediction(const Pole<T> &pole, int level, std::uint32_t outer, std::uint32_t position,
                        std::uint32_t inner)
{
    constexpr auto ends = Treatment::ends;
    const std::uint32_t last = (1U << level) - 1;
    if constexpr (ends.levelZero.low != 0) {
        if (position == 0)
            return predictedAtEnd<T, Treatment, sparse::End::low>(pole, level, outer, inner);
    }
    if constexpr (ends.levelZero.high != 0) {
        if (position == last)
            return predictedAtEnd<T, Treatment, sparse::End::high>(pole, level, outer, inner);
    }
    T left = 0, right = 0;
    if (position > 0)
        left = pole.coarser(level, position, outer, inner);
    else if constexpr (ends.arePoints)
        left = pole.endPoint(outer, 0, inner);
    if (position < last)
        right = pole.coarser(level, position + 1, outer, inner);
    else if constexpr (ends.arePoints)
        right = pole.endPoint(outer, 1, inner);
    return T(0.5) * (left + right);
}

/// A warp for each pole, or a whole block.
template <typename T, typename Treatment, bool wholeBlock>
__global__ void transformKernel(PoleList list, Transform transform, T *values)
{
    const auto p = wholeBlock ? blockIdx.x : (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (p >= list.count)
        return;
    const auto info = list.poles[p];
    constexpr bool hasEnds = Treatment::ends.arePoints;
    const Pole<T> pole(values, list, info, hasEnds);
    const auto first = wholeBlock ? threadIdx.x : threadIdx.x % 32;
    const auto step = wholeBlock ? blockDim.x : 32;
    constexpr int lowest = hasEnds ? 0 : 1;
    const int highest = info.blocks - (hasEnds ? 2 : 1);
    for (int i = lowest; i <= highest; ++i) {
        const bool isFinestFirst = transform == Transform::hierarchize;
        const int level = isFinestFirst ? highest - (i - lowest) : i;
        addPredictions(pole, level, info.outerBits, isFinestFirst ? T(-1) : T(1), first, step,
                       [&](std::uint32_t outer, std::uint32_t position, std::uint32_t inner) {
                           return prediction<T, Treatment>(pole, level, outer, position, inner);
                       });
        finishLevel<wholeBlock>();
    }
}

struct HostPoles
{
    std::vector<BlockPole> poles;
    std::vector<std::uint64_t> offsets;
    std::uint64_t largestPole = 0;
};

/// Of blocks that are not there.
constexpr auto noOffset = ~std::uint64_t{0};

HostPoles polesOf(const SparseGrid &grid, int t, const std::vector<std::uint64_t> &blockOffsets,
                  const std::vector<std::uint32_t> &successors)
{
    HostPoles result;
    const auto d = static_cast<std::size_t>(grid.dimension());
    const auto dimension = static_cast<std::size_t>(t);
    const int lowest = sparse::lowestLevel(grid.treatment(t));
    for (std::size_t start = 0; start < grid.blocks(); ++start) {
        const auto levels = grid.levelVector(start);
        if (levels[dimension] != lowest || successors[start] == sparse::BlockSuccessors::none
            || blockOffsets[start] == noOffset)
            continue;
        BlockPole pole{};
        pole.firstOffset = static_cast<std::uint32_t>(result.offsets.size());
        for (std::size_t u = 0; u < d; ++u) {
            const auto bits =
                static_cast<std::uint8_t>(sparse::bitsOfLevel(grid.treatments()[u], levels[u]));
            if (u != dimension)
                (u < dimension ? pole.outerBits : pole.strideBits) += bits;
        }
        const auto across = std::uint64_t{1} << (pole.outerBits + pole.strideBits);
        std::uint64_t points = 0;
        for (auto block = static_cast<std::uint32_t>(start); block != sparse::BlockSuccessors::none;
             block = successors[block], ++pole.blocks) {
            result.offsets.push_back(blockOffsets[block]);
            points += across
                      * sparse::pointsOfLevel(grid.treatment(t),
                                              static_cast<sparse::Level>(lowest + pole.blocks));
        }
        if (grid.treatment(t) == sparse::BoundaryTreatment::clenshawCurtis)
            std::swap(result.offsets[pole.firstOffset], result.offsets[pole.firstOffset + 1]);
        result.largestPole = std::max(result.largestPole, points);
        result.poles.push_back(pole);
    }
    return result;
}

template <typename T, typename Treatment>
void launchPoles(Transform transform, const PoleList &poles, T *values, cudaStream_t stream,
                 const PoleLaunch &shape)
{
    if (poles.count == 0)
        return;
    if (poles.areForWarps()) {
        const auto blocks = (poles.count * 32 + shape.threads - 1) / shape.threads;
        transformKernel<T, Treatment, false>
            <<<blocks, shape.threads, 0, stream>>>(poles, transform, values);
    } else {
        transformKernel<T, Treatment, true>
            <<<poles.count, shape.threadsOfPole, 0, stream>>>(poles, transform, values);
    }
    checkLaunch("hierarchize");
}

/// Where the values of each block begin in storage order.
std::vector<std::uint64_t> offsetsOfAll(const SparseGrid &grid)
{
    std::vector<std::uint64_t> offsets;
    offsets.reserve(grid.blocks());
    for (const auto &blockClass : grid.blockClasses()) {
        for (std::size_t i = 0; i < blockClass.blocks; ++i)
            offsets.push_back(blockClass.firstPoint
                              + (static_cast<std::uint64_t>(i) << blockClass.blockBits));
    }
    return offsets;
}

/// The same where there are these blocks alone.
std::vector<std::uint64_t> offsetsOf(const SparseGrid &grid, std::span<const std::uint32_t> blocks)
{
    std::vector<std::uint64_t> offsets(grid.blocks(), noOffset);
    std::uint64_t next = 0;
    for (const auto block : blocks) {
        offsets[block] = next;
        next += grid.blockSize(block);
    }
    return offsets;
}

/// The table that transformPolynomials() reads.
std::vector<double> flatLejaFunctions()
{
    std::vector<double> flat;
    for (const auto &ofLevel : sparse::lejaFunctionsAtPoints())
        flat.insert(flat.end(), ofLevel.begin(), ofLevel.end());
    return flat;
}

} // namespace

HierarchizationPlan::HierarchizationPlan(const SparseGrid &grid)
    : HierarchizationPlan(grid, 0, grid.dimension(), offsetsOfAll(grid))
{
}

HierarchizationPlan::HierarchizationPlan(const SparseGrid &grid, const sparse::TransformPart &part)
    : HierarchizationPlan(grid, part.firstDimension, part.endDimension,
                          offsetsOf(grid, part.blocks))
{
}

HierarchizationPlan::HierarchizationPlan(const SparseGrid &grid, int firstDimension,
                                         int endDimension,
                                         const std::vector<std::uint64_t> &blockOffsets)
{
    sparse::BlockSuccessors successors(grid);
    for (int t = firstDimension; t < endDimension; ++t) {
        const auto host = polesOf(grid, t, blockOffsets, successors.inDimension(t));
        PoleSet set;
        set.basis = grid.basis(t);
        set.poles = DeviceBuffer<BlockPole>(std::span(host.poles));
        set.offsets = DeviceBuffer<std::uint64_t>(std::span(host.offsets));
        set.list = {set.poles.data(), static_cast<std::uint32_t>(set.poles.size()),
                    set.offsets.data(), host.largestPole};
        m_dimensions.push_back(std::move(set));
    }
    if (std::ranges::find(grid.treatments(), sparse::BoundaryTreatment::leja)
        != grid.treatments().end())
        m_lejaFunctions = DeviceBuffer<double>(std::span<const double>(flatLejaFunctions()));
}

std::size_t HierarchizationPlan::bytesFor(const SparseGrid &grid)
{
    constexpr auto points = sparse::treatments::lejaPoints.size();
    return grid.blocks() * (sizeof(BlockPole) + sizeof(std::uint64_t))
               * static_cast<std::size_t>(grid.dimension())
           + points * points * sizeof(double);
}

template <typename T>
void HierarchizationPlan::run(Transform transform, T *values, cudaStream_t stream,
                              const PoleLaunch &launch) const
{
    const auto d = m_dimensions.size();
    for (std::size_t i = 0; i < d; ++i) {
        const auto &set = m_dimensions[transform == Transform::hierarchize ? i : d - 1 - i];
        if (!sparse::hasHats(set.basis)) {
            transformPolynomials(set.basis, transform, set.list, m_lejaFunctions.data(), values,
                                 stream);
            continue;
        }
        sparse::withTreatment(set.basis.treatment, [&](auto type) {
            launchPoles<T, decltype(type)>(transform, set.list, values, stream, launch);
        });
    }
}

template void HierarchizationPlan::run<float>(Transform, float *, cudaStream_t,
                                              const PoleLaunch &) const;
template void HierarchizationPlan::run<double>(Transform, double *, cudaStream_t,
                                               const PoleLaunch &) const;

} // namespace gridhelm::gpu
