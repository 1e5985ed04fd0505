// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/polynomial_poles.h"

#include "core/sparse/unfolded/state_polynomials.h"
#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {

namespace {

using sparse::BoundaryTreatment;

/// Where the values of one pole are.
template <typename T>
struct Pole
{
    T *values;
    const std::uint64_t *blocks; ///< offsets, from the lowest level on
    int strideBits;

    __device__ T at(int block, int bits, std::uint32_t outer, std::uint32_t position,
                    std::uint32_t inner) const
    {
        return values[blocks[block] + ((((outer << bits) | position) << strideBits) | inner)];
    }
};

/// How the blocks of a pole follow each other.
template <BoundaryTreatment treatment>
struct PoleBlocks
{
    static constexpr bool hasEnds = treatment == BoundaryTreatment::boundary;
    static constexpr bool isClenshawCurtis = treatment == BoundaryTreatment::clenshawCurtis;
    static constexpr int firstCells = isClenshawCurtis ? 1 : 0;
    static constexpr int firstCellBlock = hasEnds ? 1 : isClenshawCurtis ? 2 : 0;

    /// Level of the cells of a block >= firstCellBlock.
    __device__ static int cells(int block) { return block - firstCellBlock + firstCells; }
    __device__ static int bits(int block)
    {
        return block >= firstCellBlock ? cells(block) : block == firstCellBlock - 1 ? 1 : 0;
    }
};

/// What the blocks whose functions are over the whole range have at x.
template <BoundaryTreatment treatment, typename T>
__device__ T overTheRange(const Pole<T> &pole, int degree, T x, std::uint32_t outer,
                          std::uint32_t inner)
{
    if constexpr (treatment == BoundaryTreatment::zero) {
        return 0;
    } else {
        constexpr int ends = PoleBlocks<treatment>::firstCellBlock - 1;
        const T low = pole.at(ends, 1, outer, 0, inner), high = pole.at(ends, 1, outer, 1, inner);
        if constexpr (treatment == BoundaryTreatment::boundary)
            return (1 - x) * low + x * high;
        const T constant = pole.at(0, 0, outer, 0, inner), line = 2 * x - 1;
        if (degree == 1)
            return constant + (line < 0 ? -line * low : line * high);
        return constant + line * ((x - 1) * low + x * high);
    }
}

/// What the coarser blocks have at a point of `block`, which is not the first one.
template <BoundaryTreatment treatment, typename T>
__device__ T fromCoarser(const Pole<T> &pole, int degree, int block, std::uint32_t outer,
                         std::uint32_t position, std::uint32_t inner)
{
    using Blocks = PoleBlocks<treatment>;
    if constexpr (Blocks::isClenshawCurtis) {
        if (block == 1)
            return pole.at(0, 0, outer, 0, inner);
    }
    const int cells = Blocks::cells(block);
    const std::uint32_t numerator = 2 * position + 1; // of x, over 2^(cells + 1)
    T sum = overTheRange<treatment>(
        pole, degree, static_cast<T>(numerator) / static_cast<T>(std::uint32_t{2} << cells), outer,
        inner);
    T unit = T(0.25);
    for (int up = 1; up <= cells - Blocks::firstCells; ++up, unit *= T(0.5)) {
        const auto above = position >> up;
        const T fraction =
            static_cast<T>(numerator & ((std::uint32_t{2} << up) - 1)) * unit; // of its cell
        const T function =
            degree == 1
                ? sparse::inCell<0, 0>(fraction)
                : sparse::cellPolynomial(fraction, sparse::inverseOfFurtherRoot<T>(
                                                       {treatment, degree}, cells - up, above))
                      .value;
        sum += function * pole.at(block - up, cells - up, outer, above, inner);
    }
    return sum;
}

/// Calls transformBlock(block) for all but the first one, in the order of the transform, with the
/// threads of a pole in step.
template <bool wholeBlock, typename Use>
__device__ void forEachBlock(int blocks, Transform transform, Use transformBlock)
{
    for (int i = 1; i < blocks; ++i) {
        transformBlock(transform == Transform::hierarchize ? i : blocks - i);
        if constexpr (wholeBlock)
            __syncthreads();
        else
            __syncwarp();
    }
}

/// A warp for each pole, or a whole block of threads.
template <typename T, BoundaryTreatment treatment, bool wholeBlock>
__global__ void polynomialKernel(PoleList list, int degree, Transform transform, T *values)
{
    const auto p = wholeBlock ? blockIdx.x : (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (p >= list.count)
        return;
    const auto info = list.poles[p];
    const Pole<T> pole{values, list.offsets + info.firstOffset, info.strideBits};
    const auto first = wholeBlock ? threadIdx.x : threadIdx.x % 32;
    const auto step = wholeBlock ? blockDim.x : 32;
    const T sign = transform == Transform::hierarchize ? T(-1) : T(1);
    forEachBlock<wholeBlock>(info.blocks, transform, [&](int block) {
        const int bits = PoleBlocks<treatment>::bits(block);
        const auto count = std::uint32_t{1} << (info.outerBits + bits + info.strideBits);
        T *const own = values + pole.blocks[block];
        for (auto i = first; i < count; i += step) {
            const auto inner = i & ((1U << info.strideBits) - 1);
            const auto position = (i >> info.strideBits) & ((1U << bits) - 1);
            const auto outer = i >> (info.strideBits + bits);
            own[i] += sign * fromCoarser<treatment>(pole, degree, block, outer, position, inner);
        }
    });
}

/// Every block of a pole has one point along it. Sums are in double, as those of the CPU.
template <typename T, bool wholeBlock>
__global__ void lejaKernel(PoleList list, const double *__restrict__ functions, Transform transform,
                           T *values)
{
    constexpr int size = sparse::LejaTable<double>::size;
    const auto p = wholeBlock ? blockIdx.x : (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (p >= list.count)
        return;
    const auto info = list.poles[p];
    const auto *offsets = list.offsets + info.firstOffset;
    const auto first = wholeBlock ? threadIdx.x : threadIdx.x % 32;
    const auto step = wholeBlock ? blockDim.x : 32;
    const double sign = transform == Transform::hierarchize ? -1 : 1;
    const auto count = std::uint32_t{1} << (info.outerBits + info.strideBits);
    // A thread reads only what it writes itself: there is nothing to wait for.
    for (auto i = first; i < count; i += step) {
        for (int k = 1; k < info.blocks; ++k) {
            const int block = transform == Transform::hierarchize ? k : info.blocks - k;
            auto sum = static_cast<double>(values[offsets[block] + i]);
            for (int coarser = 0; coarser < block; ++coarser)
                sum += sign * functions[block * size + coarser]
                       * static_cast<double>(values[offsets[coarser] + i]);
            values[offsets[block] + i] = static_cast<T>(sum);
        }
    }
}

/// launch(wholeBlock as a constant, blocks, threads).
template <typename Launch>
void launchFor(const PoleList &poles, Launch launch)
{
    constexpr unsigned ofWarps = 128, ofBlocks = 512;
    if (poles.areForWarps())
        launch(std::false_type(), (poles.count * 32 + ofWarps - 1) / ofWarps, ofWarps);
    else
        launch(std::true_type(), poles.count, ofBlocks);
    checkLaunch("hierarchize");
}

} // namespace

template <typename T>
void transformPolynomials(sparse::DimensionBasis basis, Transform transform, const PoleList &poles,
                          const double *lejaFunctions, T *values, cudaStream_t stream)
{
    if (poles.count == 0)
        return;
    const auto inCells = [&]<BoundaryTreatment treatment>() {
        launchFor(poles, [&]<bool wholeBlock>(std::bool_constant<wholeBlock>, unsigned blocks,
                                              unsigned threads) {
            polynomialKernel<T, treatment, wholeBlock>
                <<<blocks, threads, 0, stream>>>(poles, basis.degree, transform, values);
        });
    };
    switch (basis.treatment) {
    case BoundaryTreatment::leja:
        launchFor(poles, [&]<bool wholeBlock>(std::bool_constant<wholeBlock>, unsigned blocks,
                                              unsigned threads) {
            lejaKernel<T, wholeBlock>
                <<<blocks, threads, 0, stream>>>(poles, lejaFunctions, transform, values);
        });
        return;
    case BoundaryTreatment::clenshawCurtis:
        return inCells.template operator()<BoundaryTreatment::clenshawCurtis>();
    case BoundaryTreatment::boundary:
        return inCells.template operator()<BoundaryTreatment::boundary>();
    default:
        return inCells.template operator()<BoundaryTreatment::zero>();
    }
}

template void transformPolynomials<float>(sparse::DimensionBasis, Transform, const PoleList &,
                                          const double *, float *, cudaStream_t);
template void transformPolynomials<double>(sparse::DimensionBasis, Transform, const PoleList &,
                                           const double *, double *, cudaStream_t);

} // namespace gridhelm::gpu
