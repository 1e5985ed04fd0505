// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sums over the tails of a regular grid (node_program.h), compiled for each of their levels.
#pragma once

#include "gpu/sparse/node_program.h"
#include "gpu/sparse/point_tables.cuh"

#include <cstdint>
#include <type_traits>
#include <utility>

namespace gridhelm::gpu {

/// The functions of the last three dimensions at a point, on all levels.
template <typename T>
struct Core
{
    T a[tailLevels], b[tailLevels], c[tailLevels];
    std::uint32_t finestA, finestB, finestC; // positions on level tailLevels - 1

    template <bool hatsOnly>
    __device__ Core(const NodeDimensions &dimensions, const T *point, std::bool_constant<hatsOnly>)
    {
        const int first = dimensions.dimension - coreDimensions;
        finestA = tabulate<hatsOnly>(dimensions.basis[first], point[first], a);
        finestB = tabulate<hatsOnly>(dimensions.basis[first + 1], point[first + 1], b);
        finestC = tabulate<hatsOnly>(dimensions.basis[first + 2], point[first + 2], c);
    }

private:
    template <bool hatsOnly>
    __device__ static std::uint32_t tabulate(sparse::DimensionBasis basis, T x,
                                             T (&values)[tailLevels])
    {
        if constexpr (!hatsOnly) {
            if (basis.degree > 1) {
#pragma unroll
                for (int level = 0; level < tailLevels; ++level)
                    values[level] = sparse::stateInCells(basis, level, x).value;
                return sparse::cellOf(tailLevels - 1, x).position;
            }
        }
        const auto treatment = basis.treatment;
        // basisValue() without branches: the threads of a warp would take all of them.
        const auto outermost = sparse::endsOf(treatment).outermost;
        const bool fallsToLow = outermost.low != 0, risesToHigh = outermost.high != 0;
        values[0] = sparse::basisValue(treatment, 0, sparse::cellOf(0, x));
#pragma unroll
        for (int level = 1; level < tailLevels; ++level) {
            const auto cell = sparse::cellOf(level, x);
            const T hat = sparse::inCell<0, 0>(cell.fraction);
            const T first =
                fallsToLow && cell.position == 0 ? sparse::inCell<2, 0>(cell.fraction) : hat;
            values[level] = risesToHigh && cell.position == (1U << level) - 1
                                ? sparse::inCell<0, 2>(cell.fraction)
                                : first;
        }
        return sparse::cellOf(tailLevels - 1, x).position;
    }
};

/// Sums of the levels below the highest sum and of the highest sum; or everything in `inner`, which
/// takes less work.
template <typename T, bool isSplit>
struct PartSums
{
    T inner = 0, last = 0;

    __device__ void add(T factor, const PartSums &part)
    {
        inner += factor * part.inner;
        if constexpr (isSplit)
            last += factor * part.last;
    }
};

/// The sum over one core, the three-dimensional regular grid of levels 0 .. level, whose values
/// begin at values[first]. Positions are added up in 32 bits and become an address at last: a sum
/// of 64 bits for every load would be most of the work.
template <int level, bool isSplit, typename T>
__device__ __forceinline__ PartSums<T, isSplit>
sumOfCore(const T *__restrict__ values, std::uint32_t first, const Core<T> &core,
          std::uint32_t finestA, std::uint32_t finestB)
{
    constexpr int finest = tailLevels - 1;
    PartSums<T, isSplit> sum;
    int offset = 0; // a constant after unrolling, added by the load itself
#pragma unroll
    for (int a = 0; a <= level; ++a) {
        PartSums<T, isSplit> sumA;
#pragma unroll
        for (int b = 0; b <= level - a; ++b) {
            // + instead of |: one instruction with the shift
            const std::uint32_t position = ((a == 0 ? 0 : finestA >> (finest - a)) << b)
                                           + (b == 0 ? 0 : finestB >> (finest - b));
            PartSums<T, isSplit> sumB;
#pragma unroll
            for (int c = 0; c <= level - a - b; ++c) {
                const T *value =
                    values
                    + (first + (position << c) + (c == 0 ? 0 : core.finestC >> (finest - c)));
                (isSplit && a + b + c == level ? sumB.last : sumB.inner) +=
                    core.c[c] * value[offset];
                offset += 1 << (a + b + c);
            }
            sumA.add(core.b[b], sumB);
        }
        sum.add(core.a[a], sumA);
    }
    return sum;
}

/// The function of the tail's first dimension on some level, as a ratio, and its position.
template <typename T, unsigned threads>
struct TailLead
{
    Column<T, threads> ratios;
    unsigned row; // of level 1
    std::uint32_t finest;
    int finestLevel;

    __device__ T ratio(int level) const { return level == 0 ? T(1) : ratios[row + level - 1]; }
    __device__ std::uint32_t position(int level) const { return finest >> (finestLevel - level); }
};

/// Where the clusters of a node are, and which of them.
template <typename T>
struct ClusterPlace
{
    const T *__restrict__ values;
    std::uint32_t offset, index;

    __device__ std::uint32_t first(std::uint32_t size) const { return offset + index * size; }
};

/// The sum over one cluster, the four-dimensional regular grid of levels 0 .. level, all its loads
/// in flight at the same time.
template <int level, bool isSplit, typename T, unsigned threads>
__device__ __forceinline__ PartSums<T, isSplit>
sumOfCluster(const ClusterPlace<T> &place, const TailLead<T, threads> &lead, const Core<T> &core,
             std::uint32_t finestA, std::uint32_t finestB)
{
    std::uint32_t first = place.first(clusterSize(level));
    PartSums<T, isSplit> sum;
    const auto add = [&]<int l>(std::integral_constant<int, l>) {
        constexpr auto size = coreSize(level - l);
        const auto part = sumOfCore<level - l, isSplit>(
            place.values, l == 0 ? first : first + lead.position(l) * size, core, finestA, finestB);
        first += size << l;
        sum.add(lead.ratio(l), part);
    };
    [&]<int... l>(std::integer_sequence<int, l...>)
    {
        (add(std::integral_constant<int, l>()), ...);
    }
    (std::make_integer_sequence<int, level + 1>());
    return sum;
}

static __constant__ const std::uint32_t clusterSizes[tailLevels] = {
    clusterSize(0), clusterSize(1), clusterSize(2), clusterSize(3), clusterSize(4),
    clusterSize(5), clusterSize(6), clusterSize(7), clusterSize(8), clusterSize(9)};

/// The same for larger ones, core after core.
template <bool isSplit, typename T, unsigned threads>
__device__ inline PartSums<T, isSplit>
sumOfLargeCluster(int level, const ClusterPlace<T> &place, const TailLead<T, threads> &lead,
                  const Core<T> &core, std::uint32_t finestA, std::uint32_t finestB)
{
    std::uint32_t first = place.first(clusterSizes[level]);
    PartSums<T, isSplit> sum;
    for (int l = 0; l <= level; ++l) {
        asm volatile("" : "+r"(finestA), "+r"(finestB)); // as in sumOfTail()
        PartSums<T, isSplit> part;
        switch (level - l) {
#define GRIDHELM_CORE(L)                                                                           \
    case L:                                                                                        \
        part = sumOfCore<L, isSplit>(place.values, first + lead.position(l) * coreSize(L), core,   \
                                     finestA, finestB);                                            \
        first += coreSize(L) << l;                                                                 \
        break;
            GRIDHELM_CORE(0)
            GRIDHELM_CORE(1)
            GRIDHELM_CORE(2)
            GRIDHELM_CORE(3)
            GRIDHELM_CORE(4)
            GRIDHELM_CORE(5)
            GRIDHELM_CORE(6)
            GRIDHELM_CORE(7)
            GRIDHELM_CORE(8)
            GRIDHELM_CORE(9)
#undef GRIDHELM_CORE
        }
        sum.add(lead.ratio(l), part);
    }
    return sum;
}
static_assert(tailLevels == 10, "one case above for each level");

template <bool isSplit, typename T, unsigned threads>
__device__ inline PartSums<T, isSplit> sumOfTail(int level, const ClusterPlace<T> &place,
                                                 const TailLead<T, threads> &lead,
                                                 const Core<T> &core)
{
    std::uint32_t finestA = core.finestA, finestB = core.finestB;
    // Else the compiler works out all positions before the walk and has no registers for them.
    asm volatile("" : "+r"(finestA), "+r"(finestB));
    switch (level) {
    case 0:
        return sumOfCluster<0, isSplit>(place, lead, core, finestA, finestB);
    case 1:
        return sumOfCluster<1, isSplit>(place, lead, core, finestA, finestB);
    case 2:
        return sumOfCluster<2, isSplit>(place, lead, core, finestA, finestB);
    case 3:
        return sumOfCluster<3, isSplit>(place, lead, core, finestA, finestB);
    default:
        return sumOfLargeCluster<isSplit>(level, place, lead, core, finestA, finestB);
    }
}

} // namespace gridhelm::gpu
