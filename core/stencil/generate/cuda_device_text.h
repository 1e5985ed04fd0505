// SPDX-License-Identifier: GPL-3.0-or-later
//
// What generated CUDA code has on the GPU. It includes nothing, so that NVRTC compiles it as it is.
#pragma once

#include <string_view>

namespace gridhelm::stencil {

/// After Value, Index, radius and stencil::dimension; marks as in cudaCode().
inline constexpr std::string_view cudaDeviceText =
    R"(constexpr int blockX = @BLOCKX@; // threads of a block
constexpr int blockY = @BLOCKY@;
constexpr int unknowns = @UNKNOWNS@; // of a thread: one behind the other, rows in 2D, planes in 3D
constexpr int width = @WIDTH@; // and so many side by side
constexpr int rowsAtOnce = @ROWSATONCE@; // and in 3D so many rows, which share neighbours

// ---- beyond the sides --------------------------------------------------------------------------

@RULES@

// x low, x high, y low, ...
// clang-format off
__constant__ Side sides[2 * stencil::dimension] = {
@SIDES@
};
// clang-format on
// Whether ghosts change from iteration to iteration. Those in x are stored with the values.
constexpr bool ghostsMove = @MOVE@;
constexpr bool ghostsMoveInX = @MOVEX@;

struct Grid
{
    Index points[3];
    Index strides[3];
};

__device__ Value ghost(const Side &side, Index g, Value mirrored, Value opposite)
{
    if (side.rule == Rule::value)
        return side.numbers[g];
    return side.rule == Rule::slope ? mirrored + side.numbers[g] : opposite;
}

// Both ends of the lines along an axis, each thread's: those across are first, second. Ghosts of
// the axes before it are there already.
__global__ void setGhostsAlong(Value *u, Grid grid, int axis)
{
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    const Index outsideFirst = first < axis ? radius : 0,
                outsideSecond = second < axis ? radius : 0;
    const Index a = Index(blockIdx.x) * blockDim.x + threadIdx.x - outsideFirst;
    const Index b = Index(blockIdx.y) * blockDim.y + threadIdx.y - outsideSecond;
    if (a >= grid.points[first] + outsideFirst || b >= grid.points[second] + outsideSecond)
        return;
    Value *line = u + a * grid.strides[first] + b * grid.strides[second];
    const Index n = grid.points[axis], stride = grid.strides[axis];
    for (Index g = 0; g < radius; ++g) {
        const Value low = line[g * stride], high = line[(n - 1 - g) * stride];
        line[(-1 - g) * stride] = ghost(sides[2 * axis], g, low, high);
        line[(n + g) * stride] = ghost(sides[2 * axis + 1], g, high, low);
    }
}

// What a thread loads and stores at once, if it can.
struct alignas(width * sizeof(Value)) Lane
{
    Value at[width];
};

// The image of a value that is at a distance of g from a side of an axis along which there are n
// values: low or high, so many steps of it away. None if the ghosts stay as they are.
__device__ void storeImage(Value *value, const Side &side, bool isHigh, Index g, Index n, Index step)
{
    if (side.rule == Rule::value)
        return;
    const bool isPeriodic = side.rule == Rule::periodic;
    const Index away = isPeriodic ? n : -2 * g - 1;
    value[(isHigh ? -away : away) * step] = *value + (isPeriodic ? 0 : side.numbers[g]);
}

// Of a value at place p of an axis.
[[maybe_unused]] __device__ void storeImages(Value *value, int axis, Index p, Index n, Index step)
{
    if (p < radius)
        storeImage(value, sides[2 * axis], false, p, n, step);
    if (n - 1 - p < radius)
        storeImage(value, sides[2 * axis + 1], true, n - 1 - p, n, step);
}

// Whether the images in x of lanes are lanes, for which rows have room.
[[maybe_unused]] __device__ bool imagesAreLanes(const Grid &grid)
{
    constexpr Index besideRow = (radius + width - 1) / width * width;
    return grid.points[0] % width == 0 && grid.strides[1] >= grid.points[0] + 2 * besideRow;
}

// Of such a lane, which begins at place i of n.
[[maybe_unused]] __device__ void storeImagesInX(Value *to, const Lane &lane, Index i, Index n)
{
    for (int isHigh = 0; isHigh < 2; ++isHigh) {
        const Index g = isHigh ? n - width - i : i; // between the side and the lane
        const Side &side = sides[isHigh];
        if (g >= radius || side.rule == Rule::value)
            continue;
        Lane image = lane;
        Index away = n;
        if (side.rule == Rule::slope) {
            away = -2 * g - width;
#pragma unroll
            for (int v = 0; v < width; ++v) {
                const Index from = g + (isHigh ? width - 1 - v : v);
                image.at[width - 1 - v] = lane.at[v] + (from < radius ? side.numbers[from] : 0);
            }
        }
        *reinterpret_cast<Lane *>(to + (isHigh ? -away : away)) = image;
    }
}

// What is beside the sides in y and z, each thread's value of the rows there, ghosts in x included:
// its images. blockIdx.y is the axis, less 1.
__global__ void followValues(Value *u, Grid grid)
{
    const int axis = 1 + blockIdx.y, other = 3 - axis;
    const Index n = grid.points[axis], step = grid.strides[axis];
    const unsigned row = static_cast<unsigned>(grid.points[0] + 2 * radius);
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    const Index place = thread / row % (2 * radius), b = thread / row / (2 * radius);
    if (b >= grid.points[other])
        return;
    const bool isHigh = place >= radius;
    const Index g = isHigh ? place - radius : place;
    const Index p = isHigh ? n - 1 - g : g;
    Value *const value = u + Index(thread % row) - radius + p * step + b * grid.strides[other];
    const Side &side = sides[2 * axis + isHigh];
    storeImage(value, side, isHigh, g, n, step);
    if (stencil::dimension == 2 || axis == 2 || side.rule == Rule::value)
        return;
    // The images in z of the image in y.
    const Index away = side.rule == Rule::periodic ? n : -2 * g - 1;
    storeImages(value + (isHigh ? -away : away) * step, 2, b, grid.points[2], grid.strides[2]);
}

// ---- one iteration -----------------------------------------------------------------------------

struct Lists
{
    const Value *c[@LISTS@];
    const Value *f;
    Value factor;
    Index spike; // its offset; -1: there is none
};

@KERNEL@
)";

} // namespace gridhelm::stencil
