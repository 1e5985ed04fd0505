// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/node_walk.h"

#include "core/support/error.h"
#include "gpu/sparse/state_ratio.cuh"
#include "gpu/support/cuda_error.h"
#include "gpu/support/device_attribute.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace gridhelm::gpu {

namespace {

using sparse::BoundaryTreatment;

constexpr unsigned mostThreads = 128;

/// Columns of shared memory that belong to one thread: consecutive rows are `width` apart, or as
/// many as there are threads if that is 0.
template <typename V, unsigned width>
class Column
{
public:
    __device__ explicit Column(V *first)
        : m_first(first + threadIdx.x)
    {
    }
    __device__ V &operator[](unsigned row) const
    {
        return m_first[row * (width == 0 ? blockDim.x : width)];
    }

private:
    V *m_first;
};

/// What a thread keeps of its point and of its way through the tree.
/// Product and index of a node, where its children find them.
template <typename T>
struct alignas(2 * sizeof(T)) NodeState
{
    T product;
    std::uint32_t index;
};

template <typename T, unsigned width = 0>
struct PointTables
{
    Column<NodeState<T>, width> nodes;
    Column<T, width> ratios;
    Column<std::uint32_t, width> finest;

    __device__ PointTables(double *memory, const NodeDimensions &dimensions, int slots)
        : nodes(reinterpret_cast<NodeState<T> *>(memory))
        , ratios(reinterpret_cast<T *>(memory) + 2 * slots * blockDim.x)
        , finest(reinterpret_cast<std::uint32_t *>(reinterpret_cast<T *>(memory)
                                                   + (2 * slots + dimensions.rows) * blockDim.x))
    {
    }

    __host__ __device__ static std::size_t bytes(const NodeDimensions &dimensions, int slots)
    {
        return sizeof(T) * static_cast<std::size_t>(dimensions.rows + 2 * slots)
               + sizeof(std::uint32_t) * static_cast<std::size_t>(dimensions.dimension);
    }

    /// Rows of the first `count` dimensions. Returns the product of their functions of state 0.
    __device__ T tabulate(const NodeDimensions &dimensions, int count, const T *point) const
    {
        T product = 1;
        ratios[0] = 1;
        finest[0] = 0; // the root's, if there is nothing else
        for (int t = 0; t < count; ++t) {
            const T x = point[t];
            const auto treatment = dimensions.treatment[t];
            const T zero = stateZero(treatment, x);
            const T inverse = T(1) / zero;
            product *= zero;
            finest[t] = sparse::cellOf(dimensions.finestLevel[t], x).position;
            unsigned row = dimensions.firstRow[t];
            for (int state = 1; state <= dimensions.highestState[t]; ++state)
                ratios[row++] = stateRatio(treatment, state, x, inverse);
        }
        return product;
    }
};

__device__ inline std::uint32_t childIndex(const NodeStep &step, std::uint32_t parentIndex,
                                           std::uint32_t finest)
{
    return (parentIndex << step.bits) | (finest >> step.shift);
}

__device__ inline NodeStep loadStep(const NodeStep *step)
{
    const uint4 words = __ldg(reinterpret_cast<const uint4 *>(step));
    NodeStep result;
    memcpy(&result, &words, sizeof(result));
    return result;
}

/// The functions of the last three dimensions at a point, on all levels.
template <typename T>
struct Core
{
    T a[tailLevels], b[tailLevels], c[tailLevels];
    std::uint32_t finestA, finestB, finestC; // positions on level tailLevels - 1

    __device__ Core(const NodeDimensions &dimensions, const T *point)
    {
        const int first = dimensions.dimension - coreDimensions;
        finestA = tabulate(dimensions.treatment[first], point[first], a);
        finestB = tabulate(dimensions.treatment[first + 1], point[first + 1], b);
        finestC = tabulate(dimensions.treatment[first + 2], point[first + 2], c);
    }

private:
    __device__ static std::uint32_t tabulate(BoundaryTreatment treatment, T x,
                                             T (&values)[tailLevels])
    {
        // basisValue() without branches: the threads of a warp would take all of them.
        const bool isModified = treatment == BoundaryTreatment::modified;
#pragma unroll
        for (int level = 0; level < tailLevels; ++level) {
            const auto cell = sparse::cellOf(level, x);
            const T hat = T(2) * (cell.fraction < T(0.5) ? cell.fraction : T(1) - cell.fraction);
            const T falling = cell.position == 0 ? T(2) - T(2) * cell.fraction : hat;
            const T outer = cell.position == (1U << level) - 1 ? T(2) * cell.fraction : falling;
            values[level] = !isModified ? hat : level == 0 ? T(1) : outer;
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
template <typename T>
struct TailLead
{
    Column<T, mostThreads> ratios;
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
template <int level, bool isSplit, typename T>
__device__ __forceinline__ PartSums<T, isSplit>
sumOfCluster(const ClusterPlace<T> &place, const TailLead<T> &lead, const Core<T> &core,
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

__constant__ const std::uint32_t clusterSizes[tailLevels] = {
    clusterSize(0), clusterSize(1), clusterSize(2), clusterSize(3), clusterSize(4),
    clusterSize(5), clusterSize(6), clusterSize(7), clusterSize(8), clusterSize(9)};

/// The same for larger ones, core after core.
template <bool isSplit, typename T>
__device__ inline PartSums<T, isSplit>
sumOfLargeCluster(int level, const ClusterPlace<T> &place, const TailLead<T> &lead,
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

template <bool isSplit, typename T>
__device__ inline PartSums<T, isSplit> sumOfTail(int level, const ClusterPlace<T> &place,
                                                 const TailLead<T> &lead, const Core<T> &core)
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

/// Blocks of a multiprocessor, for which registers are kept free; more would make them spill.
template <typename T, bool hasTail>
constexpr int blocksAtOnce = !hasTail         ? 8
                             : sizeof(T) == 4 ? 5
                                              : 3;

template <typename T, bool hasTail, bool withLastGroup>
__global__ void __launch_bounds__(mostThreads, blocksAtOnce<T, hasTail>)
    walkKernel(const __grid_constant__ NodeWalk<T> walk)
{
    extern __shared__ __align__(16) double sharedMemory[];
    const auto j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= walk.count) // nobody waits for anybody
        return;
    const auto &dimensions = walk.dimensions;
    const PointTables<T, hasTail ? mostThreads : 0> tables(sharedMemory, dimensions, walk.slots);
    const std::uint32_t source = walk.order ? walk.order[j] : j;
    const T *point = walk.points + static_cast<std::size_t>(source) * dimensions.dimension;
    tables.nodes[0] = {
        tables.tabulate(dimensions, dimensions.dimension - (hasTail ? coreDimensions : 0), point),
        0};
    const auto range = walk.ranges[blockIdx.y];
    for (auto p = range.pathBegin; p < range.pathEnd; ++p) {
        const auto step = loadStep(walk.steps + walk.path[p]);
        const auto parent = tables.nodes[step.parent];
        tables.nodes[step.slot] = {parent.product * tables.ratios[step.row],
                                   childIndex(step, parent.index, tables.finest[step.dimension])};
    }

    T inner = 0, last = 0;
    const auto walkSteps = [&](auto add) {
        for (auto i = range.begin; i < range.end; ++i) {
            const auto step = loadStep(walk.steps + i);
            const auto parent = tables.nodes[step.parent];
            const T product = parent.product * tables.ratios[step.row];
            const auto index = childIndex(step, parent.index, tables.finest[step.dimension]);
            if (step.slot != NodeStep::nowhere)
                tables.nodes[step.slot] = {product, index};
            const auto offset = step.offset | static_cast<std::uint64_t>(step.offsetHigh) << 32;
            add(step, product, offset, index);
        }
    };
    if constexpr (hasTail) {
        const Core<T> core(dimensions, point);
        const int first = dimensions.dimension - tailDimensions;
        const TailLead<T> lead{tables.ratios, dimensions.firstRow[first], tables.finest[first],
                               dimensions.finestLevel[first]};
        walkSteps([&](const NodeStep &step, T product, std::uint64_t, std::uint32_t index) {
            const auto sum = sumOfTail<withLastGroup>(
                step.tailLevel, ClusterPlace<T>{walk.values, step.offset, index}, lead, core);
            inner += product * sum.inner;
            if constexpr (withLastGroup)
                last += product * sum.last;
        });
    } else {
        walkSteps([&](const NodeStep &step, T product, std::uint64_t offset, std::uint32_t index) {
            const T part = product * walk.values[offset + index];
            if (withLastGroup && step.isInLastGroup)
                last += part;
            else
                inner += part;
        });
    }
    const auto target = static_cast<std::size_t>(blockIdx.y) * walk.count + source;
    walk.sums[target] = inner + last;
    if constexpr (withLastGroup)
        walk.lastGroup[target] = walk.rangeCount == 1 ? abs(last) : last;
}

template <typename T>
__global__ void addPartsKernel(const T *parts, std::uint32_t partCount, std::uint32_t count,
                               bool magnitude, T *out)
{
    const auto j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= count)
        return;
    T sum = 0;
    for (std::uint32_t i = 0; i < partCount; ++i)
        sum += parts[static_cast<std::size_t>(i) * count + j];
    out[j] = magnitude ? abs(sum) : sum;
}

/// The derivative in direction t: products without and with a factor of dimension t are kept apart.
template <typename T>
__global__ void __launch_bounds__(mostThreads)
    gradientKernel(const __grid_constant__ NodeWalk<T> walk, T *gradients)
{
    extern __shared__ __align__(16) double sharedMemory[];
    const auto j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= walk.count)
        return;
    const auto &dimensions = walk.dimensions;
    const int direction = static_cast<int>(blockIdx.y);
    const PointTables<T> tables(sharedMemory, dimensions, walk.slots);
    // Behind the tables, whose size is a multiple of that of T for every pair of threads.
    const Column<T, 0> derived(
        reinterpret_cast<T *>(reinterpret_cast<char *>(sharedMemory)
                              + PointTables<T>::bytes(dimensions, walk.slots) * blockDim.x));
    const T *point = walk.points + static_cast<std::size_t>(j) * dimensions.dimension;
    tables.tabulate(dimensions, dimensions.dimension, point);
    // State 0 and the derivatives of this direction; the product of the others' state 0.
    const auto treatment = dimensions.treatment[direction];
    const T x = point[direction];
    T others = 1;
    for (int t = 0; t < dimensions.dimension; ++t)
        others *= t == direction ? T(1) : stateZero(dimensions.treatment[t], point[t]);
    const T zeroDerivative = treatment == BoundaryTreatment::zero
                                 ? sparse::basisDerivative(treatment, 0, sparse::cellOf(0, x))
                                 : T(0);

    T without = 0, with = 0;
    tables.nodes[0] = {others, 0};
    derived[0] = 0;
    const auto range = walk.ranges[0];
    // nodes: products of the ratios of all dimensions but this one, 0 once this one's state is not
    // 0; derived: with the derivative of this one's state
    for (auto i = range.begin; i < range.end; ++i) {
        const auto step = loadStep(walk.steps + i);
        const auto parent = tables.nodes[step.parent];
        T product, derivative;
        if (step.dimension == direction && step.row != 0) {
            const int state = step.row - dimensions.firstRow[direction] + 1;
            const int level = sparse::omp::levelOfState(treatment, state);
            product = 0;
            derivative =
                parent.product
                * (level < 0 ? T(2)
                             : sparse::basisDerivative(treatment, level, sparse::cellOf(level, x)));
        } else {
            const T ratio = tables.ratios[step.row];
            product = parent.product * ratio;
            derivative = derived[step.parent] * ratio;
        }
        const auto index = childIndex(step, parent.index, tables.finest[step.dimension]);
        if (step.slot != NodeStep::nowhere) {
            tables.nodes[step.slot] = {product, index};
            derived[step.slot] = derivative;
        }
        const auto offset = step.offset | static_cast<std::uint64_t>(step.offsetHigh) << 32;
        const T coefficient = walk.values[offset + index];
        without += product * coefficient;
        with += derivative * coefficient;
    }
    gradients[static_cast<std::size_t>(j) * dimensions.dimension + direction] =
        zeroDerivative * without + with;
}

template <typename T>
__global__ void fillClustersKernel(const NodeStep *steps, const std::uint64_t *clusterNodes,
                                   const std::uint32_t *firstNode, int highestBits,
                                   const T *__restrict__ values, T *__restrict__ clusters)
{
    const auto step = loadStep(steps + blockIdx.x);
    const auto offset = step.offset | static_cast<std::uint64_t>(step.offsetHigh) << 32;
    const int level = step.tailLevel, prefixBits = highestBits - level;
    auto node = firstNode[blockIdx.x];
    std::uint32_t first = 0; // of the cores with this level of the tail's first dimension
    for (int lead = 0; lead <= level; ++lead) {
        const int coreLevel = level - lead;
        std::uint32_t inCore = 0;
        for (int a = 0; a <= coreLevel; ++a) {
            for (int b = 0; b <= coreLevel - a; ++b) {
                for (int c = 0; c <= coreLevel - a - b; ++c) {
                    const int bits = a + b + c;
                    const T *source = values + clusterNodes[node++];
                    const auto count = std::uint32_t{1} << (prefixBits + lead + bits);
                    for (auto i = threadIdx.x; i < count; i += blockDim.x) {
                        const auto prefix = i >> (lead + bits);
                        const auto position = (i >> bits) & ((1U << lead) - 1);
                        clusters[offset + std::uint64_t{prefix} * clusterSize(level) + first
                                 + position * coreSize(coreLevel) + inCore
                                 + (i & ((1U << bits) - 1))] = source[i];
                    }
                    inCore += 1U << bits;
                }
            }
        }
        first += coreSize(coreLevel) << lead;
    }
}

struct LaunchShape
{
    unsigned threads;
    std::size_t bytes;
};

/// As many threads a block, between `fewest` and the most, as have room for their tables.
template <typename Kernel>
LaunchShape shapeFor(Kernel kernel, std::size_t bytesPerThread, unsigned fewest)
{
    const auto limit =
        static_cast<std::size_t>(deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    unsigned threads = mostThreads;
    // Two blocks to a multiprocessor if that can be had.
    while (threads > fewest && threads * bytesPerThread > limit / 2)
        threads -= 32;
    const auto bytes = threads * bytesPerThread;
    if (bytes > limit)
        throw BackendError(
            "this grid has too many levels in its dimensions for the memory of the CUDA "
            "device's multiprocessors; choose the back end omp");
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "set aside shared memory");
    return {threads, bytes};
}

unsigned blocksFor(std::uint32_t count, unsigned threads)
{
    return (count + threads - 1) / threads;
}

template <typename T, bool hasTail, bool withLastGroup>
void launchWalk(const NodeWalk<T> &walk, cudaStream_t stream)
{
    const auto kernel = walkKernel<T, hasTail, withLastGroup>;
    const auto shape = shapeFor(kernel, PointTables<T>::bytes(walk.dimensions, walk.slots),
                                hasTail ? mostThreads : 32);
    kernel<<<dim3(blocksFor(walk.count, shape.threads), walk.rangeCount), shape.threads,
             shape.bytes, stream>>>(walk);
    checkLaunch("interpolate");
}

} // namespace

template <typename T>
bool canWalkTail(const NodeDimensions &dimensions, int slots)
{
    return PointTables<T>::bytes(dimensions, slots) * mostThreads
           <= static_cast<std::size_t>(deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

template <typename T>
void walkNodes(const NodeWalk<T> &walk, cudaStream_t stream)
{
    if (walk.hasTail)
        walk.lastGroup ? launchWalk<T, true, true>(walk, stream)
                       : launchWalk<T, true, false>(walk, stream);
    else
        walk.lastGroup ? launchWalk<T, false, true>(walk, stream)
                       : launchWalk<T, false, false>(walk, stream);
}

template <typename T>
void addParts(const T *parts, std::uint32_t partCount, std::uint32_t count, bool magnitude, T *out,
              cudaStream_t stream)
{
    constexpr unsigned threads = 256;
    addPartsKernel<T><<<blocksFor(count, threads), threads, 0, stream>>>(parts, partCount, count,
                                                                         magnitude, out);
    checkLaunch("add partial sums");
}

template <typename T>
void walkGradients(const NodeWalk<T> &walk, T *gradients, cudaStream_t stream)
{
    const auto kernel = gradientKernel<T>;
    const auto shape = shapeFor(kernel,
                                PointTables<T>::bytes(walk.dimensions, walk.slots)
                                    + sizeof(T) * static_cast<std::size_t>(walk.slots),
                                32);
    kernel<<<dim3(blocksFor(walk.count, shape.threads),
                  static_cast<unsigned>(walk.dimensions.dimension)),
             shape.threads, shape.bytes, stream>>>(walk, gradients);
    checkLaunch("compute gradients");
}

template <typename T>
void fillClusters(const NodeStep *steps, std::size_t stepCount, const std::uint64_t *clusterNodes,
                  const std::uint32_t *firstNode, int highestBits, const T *values, T *clusters,
                  cudaStream_t stream)
{
    fillClustersKernel<T><<<static_cast<unsigned>(stepCount), 128, 0, stream>>>(
        steps, clusterNodes, firstNode, highestBits, values, clusters);
    checkLaunch("arrange coefficients");
}

template bool canWalkTail<float>(const NodeDimensions &, int);
template bool canWalkTail<double>(const NodeDimensions &, int);
template void walkNodes<float>(const NodeWalk<float> &, cudaStream_t);
template void walkNodes<double>(const NodeWalk<double> &, cudaStream_t);
template void addParts<float>(const float *, std::uint32_t, std::uint32_t, bool, float *,
                              cudaStream_t);
template void addParts<double>(const double *, std::uint32_t, std::uint32_t, bool, double *,
                               cudaStream_t);
template void walkGradients<float>(const NodeWalk<float> &, float *, cudaStream_t);
template void walkGradients<double>(const NodeWalk<double> &, double *, cudaStream_t);
template void fillClusters<float>(const NodeStep *, std::size_t, const std::uint64_t *,
                                  const std::uint32_t *, int, const float *, float *, cudaStream_t);
template void fillClusters<double>(const NodeStep *, std::size_t, const std::uint64_t *,
                                   const std::uint32_t *, int, const double *, double *,
                                   cudaStream_t);

} // namespace gridhelm::gpu
