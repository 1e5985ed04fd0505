// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/polynomial_poles.h"

#include "core/sparse/unfolded/state_polynomials.h"
#include "gpu/sparse/pole.cuh"
#include "gpu/support/cuda_error.h"

namespace gridhelm::gpu {

namespace {

using sparse::BoundaryTreatment;

/// The value at half / 2^level, 0 <= half <= 2^level; 0 at ends that are no points.
template <BoundaryTreatment treatment, typename T>
__device__ T valueAt(const Pole<T> &pole, int level, std::uint32_t half, std::uint32_t outer,
                     std::uint32_t inner)
{
    const bool isEnd = half == 0 || half == std::uint32_t{1} << level;
    if constexpr (treatment == BoundaryTreatment::zero)
        return isEnd ? T(0) : pole.coarser(level, half, outer, inner);
    else
        return isEnd ? pole.endPoint(outer, half == 0 ? 0 : 1, inner)
                     : pole.coarser(level, half, outer, inner);
}

/// Of the values at -1, 0, 1 and r in that of their polynomial at -1/2.
template <typename T>
struct Weights
{
    T near, middle, far, further;
};

/// Without a further one.
template <typename T>
GRIDHELM_HOST_DEVICE constexpr Weights<T> quadratic()
{
    return {T(0.375), T(0.75), T(-0.125), 0};
}

template <typename T, int r>
GRIDHELM_HOST_DEVICE constexpr Weights<T> cubic()
{
    return {T(0.375 * (r + 0.5) / (r + 1)), T(0.75 * (r + 0.5) / r),
            T(-0.125 * (r + 0.5) / (r - 1)), T(0.375 / (r * (r * r - 1)))};
}

/// What the coarser levels have at a point of a level >= 1 of cells: in the cell of its parent they
/// are one polynomial of their degree, through the parent, the ends of its cell and its nearest
/// further ancestor, which is where the parent's own function vanishes
/// (core/sparse/cell_polynomial.h).
template <BoundaryTreatment treatment, int degree, typename T>
__device__ T fromCoarser(const Pole<T> &pole, int level, std::uint32_t outer,
                         std::uint32_t position, std::uint32_t inner)
{
    const int above = level - 1;
    const auto parent = position >> 1;
    const bool isLeft = position % 2 == 0;
    const auto valueOf = [&](std::uint32_t half) {
        return valueAt<treatment>(pole, above, half, outer, inner);
    };
    const T middle = pole.at(above, outer, parent, inner);
    const T near = valueOf(isLeft ? parent : parent + 1);
    if constexpr (degree == 1)
        return T(0.5) * (middle + near);
    const T far = valueOf(isLeft ? parent + 1 : parent);
    const auto sum = [&](const Weights<T> &weights) {
        return weights.middle * middle + weights.near * near + weights.far * far;
    };
    constexpr auto withoutFurther = quadratic<T>();
    if (degree == 2 || level == 1)
        return sum(withoutFurther);

    // The other end of the cell of the parent's parent, which is to the right of an even parent.
    const bool isToTheRight = parent % 2 == 0, isBeyondFar = isToTheRight == isLeft;
    auto further = isToTheRight ? parent + 2 : parent - 1;
    constexpr auto beyondFar = cubic<T, 3>(), beyondNear = cubic<T, -3>();
    auto weights = isBeyondFar ? beyondFar : beyondNear;
    if constexpr (treatment == BoundaryTreatment::zero) {
        const auto cells = std::uint32_t{1} << above;
        if (further == 0 || further == cells) { // is no point
            constexpr auto awayFromFar = cubic<T, -5>(), awayFromNear = cubic<T, 5>();
            weights = isBeyondFar ? awayFromFar : awayFromNear;
            further = isToTheRight ? parent - 2 : parent + 3;
            if (further == 0 || further >= cells)
                return sum(withoutFurther);
        }
    }
    return sum(weights) + weights.further * valueOf(further);
}

/// The ends of clenshaw-curtis are measured against the middle.
template <typename T>
__device__ void transformEnds(const Pole<T> &pole, int outerBits, T sign, std::uint32_t first,
                              std::uint32_t step)
{
    const auto count = std::uint32_t{1} << (outerBits + pole.strideBits);
    for (auto i = first; i < count; i += step) {
        const auto inner = i & ((1U << pole.strideBits) - 1), outer = i >> pole.strideBits;
        const T middle = pole.at(0, outer, 0, inner);
        pole.endPoint(outer, 0, inner) += sign * middle;
        pole.endPoint(outer, 1, inner) += sign * middle;
    }
}

/// A warp for each pole, or a whole block.
template <typename T, BoundaryTreatment treatment, int degree, bool wholeBlock>
__global__ void polynomialKernel(PoleList list, Transform transform, T *values)
{
    const auto p = wholeBlock ? blockIdx.x : (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (p >= list.count)
        return;
    constexpr bool hasEnds = treatment != BoundaryTreatment::zero;
    constexpr bool isClenshawCurtis = treatment == BoundaryTreatment::clenshawCurtis;
    const auto info = list.poles[p];
    const Pole<T> pole(values, list, info, hasEnds);
    const auto first = wholeBlock ? threadIdx.x : threadIdx.x % 32;
    const auto step = wholeBlock ? blockDim.x : 32;
    const bool isFinestFirst = transform == Transform::hierarchize;
    const T sign = isFinestFirst ? T(-1) : T(1);
    const int highest = info.blocks - (hasEnds ? 2 : 1);
    const auto transformMiddle = [&] { // of `boundary`
        addPredictions(
            pole, 0, info.outerBits, sign, first, step,
            [&](std::uint32_t outer, std::uint32_t, std::uint32_t inner) {
                return T(0.5) * (pole.endPoint(outer, 0, inner) + pole.endPoint(outer, 1, inner));
            });
    };
    const auto transformCoarsest = [&] {
        if constexpr (isClenshawCurtis)
            transformEnds(pole, info.outerBits, sign, first, step);
        else if constexpr (hasEnds)
            transformMiddle();
        finishLevel<wholeBlock>();
    };
    if (!isFinestFirst)
        transformCoarsest();
    for (int i = 1; i <= highest; ++i) {
        const int level = isFinestFirst ? highest - (i - 1) : i;
        addPredictions(pole, level, info.outerBits, sign, first, step,
                       [&](std::uint32_t outer, std::uint32_t position, std::uint32_t inner) {
                           return fromCoarser<treatment, degree>(pole, level, outer, position,
                                                                 inner);
                       });
        finishLevel<wholeBlock>();
    }
    if (isFinestFirst)
        transformCoarsest();
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
    const auto ofDegree = [&]<BoundaryTreatment treatment, int degree>() {
        launchFor(poles, [&]<bool wholeBlock>(std::bool_constant<wholeBlock>, unsigned blocks,
                                              unsigned threads) {
            polynomialKernel<T, treatment, degree, wholeBlock>
                <<<blocks, threads, 0, stream>>>(poles, transform, values);
        });
    };
    const auto inCells = [&]<BoundaryTreatment treatment>() {
        if (basis.degree == 3)
            return ofDegree.template operator()<treatment, 3>();
        if (basis.degree == 2)
            return ofDegree.template operator()<treatment, 2>();
        if constexpr (treatment == BoundaryTreatment::clenshawCurtis) // others have hats
            ofDegree.template operator()<treatment, 1>();
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
