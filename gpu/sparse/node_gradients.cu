// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/sparse/launch_shape.cuh"
#include "gpu/sparse/node_walk.h"
#include "gpu/sparse/point_tables.cuh"

namespace gridhelm::gpu {

namespace {

/// The derivative in direction t: products without and with a factor of dimension t are kept apart.
template <typename T>
__global__ void __launch_bounds__(maxThreads)
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
    tables.template tabulate<false>(dimensions, dimensions.dimension, point);
    // Of this direction the slopes take the place of the ratios, which nobody needs.
    const auto basis = dimensions.basis[direction];
    const unsigned firstRow = dimensions.firstRow[direction];
    const T x = point[direction];
    for (int state = 1; state <= dimensions.highestState[direction]; ++state)
        tables.ratios[firstRow + state - 1] = anyState(basis, state, x).slope;
    const T zeroDerivative = anyState(basis, 0, x).slope;
    // The product of the others' state 0.
    T others = 1;
    for (int t = 0; t < dimensions.dimension; ++t)
        others *= t == direction ? T(1) : anyState(dimensions.basis[t], 0, point[t]).value;

    T without = 0, with = 0;
    tables.nodes[0] = {others, 0};
    derived[0] = 0;
    const auto range = walk.ranges[0];
    // nodes: products of the ratios of all dimensions but this one, 0 once this one's state is not
    // 0; derived: with the derivative of this one's state
    for (auto i = range.begin; i < range.end; ++i) {
        const auto step = loadStep(walk.steps + i);
        const auto parent = tables.nodes[step.parent];
        const T ratio = tables.ratios[step.row];
        const bool isOwn = step.dimension == direction && step.row != 0;
        const T product = isOwn ? T(0) : parent.product * ratio;
        const T derivative = (isOwn ? parent.product : derived[step.parent]) * ratio;
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

} // namespace

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

template void walkGradients<float>(const NodeWalk<float> &, float *, cudaStream_t);
template void walkGradients<double>(const NodeWalk<double> &, double *, cudaStream_t);

} // namespace gridhelm::gpu
