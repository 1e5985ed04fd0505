// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/generate/cuda_kernels.h"

#include "core/stencil/generate/code.h"
#include "core/stencil/generate/code_text.h"
#include "core/stencil/generate/cuda_pass_text.h"
#include "core/stencil/generate/stencil_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace gridhelm::stencil {
namespace {

// ---- weights that depend on the place ----------------------------------------------------------

constexpr std::string_view gathering =
    R"(// The stencil: neighbours of one weight are added up first.
__global__ void __launch_bounds__(blockX *blockY)
    iterate(const Value *__restrict__ u, Value *__restrict__ to, Grid grid, Lists lists)
{
    const Index i = Index(blockIdx.x) * blockX + threadIdx.x;
    const Index across = Index(blockIdx.y) * blockY + threadIdx.y;
    const bool is3D = stencil::dimension == 3;
    const Index first = is3D ? Index(blockIdx.z) * unknowns : across * unknowns;
    const Index last = min(first + unknowns, grid.points[is3D ? 2 : 1]);
    if (i >= grid.points[0] || (is3D && across >= grid.points[1]))
        return;
    for (Index step = first; step < last; ++step) {
        const Index o =
            i + (is3D ? across : step) * grid.strides[1] + (is3D ? step : 0) * grid.strides[2];
@POINTERS@
@GROUPS@
@SOURCE@
        if (o == lists.spike)
            value += lists.factor;
        to[o] = value;
        if (ghostsMoveInX)
            storeImages(to + o, 0, i, grid.points[0], 1);
    }
}
)";

std::string steps(int count, const char *stride)
{
    return count == 0  ? std::string()
           : count > 0 ? fmt::format(" + {} * {}", count, stride)
                       : fmt::format(" - {} * {}", -count, stride);
}

std::string gatheringKernel(const Stencil &stencil)
{
    const auto away = stencilRows(stencil);
    std::string pointers;
    const std::string indent(8, ' ');
    const bool is3D = stencil.dimension == 3;
    for (std::size_t r = 0; r < away.size(); ++r)
        pointers += fmt::format("{}const Value *const u{} = u + o{}{};\n", indent, r,
                                steps(is3D ? away[r][0] : away[r][1], "grid.strides[1]"),
                                steps(is3D ? away[r][1] : 0, "grid.strides[2]"));
    std::vector<std::string> values, coefficients;
    for (const auto &neighbour : stencil.neighbours) {
        const auto row = std::ranges::find(away, rowOf(stencil, neighbour)) - away.begin();
        values.push_back(fmt::format("u{}[{}]", row, neighbour.at[0]));
    }
    for (std::size_t c = 0; c < stencil.coefficients.size(); ++c)
        coefficients.push_back(fmt::format("lists.c[{}][o]", c));
    return filled(
        gathering,
        {{"POINTERS", pointers},
         {"GROUPS",
          groupStatements(stencil, values, coefficients, indent, typeName(stencil.precision))},
         {"SOURCE", stencil.source.field ? indent + "value += lists.factor * lists.f[o];\n" : ""}});
}

// ---- weights that are numbers ------------------------------------------------------------------

constexpr std::string_view marching = R"(// Past what is read again soon.
__device__ void stream(Value *to, const Lane &lane)
{
    __stcs(reinterpret_cast<float4 *>(to), *reinterpret_cast<const float4 *>(&lane));
}

// Brings it nearer, while something else is done.
[[maybe_unused]] __device__ void prefetch(const Value *from)
{
#ifdef __CUDA_ARCH__
    asm volatile("prefetch.global.L2 [%0];" ::"l"(from));
#endif
}

// A thread's values of a row, and those beside them. Those that nobody uses are not loaded.
struct Window
{
    static constexpr int beside = (int(radius) + width - 1) / width; // lanes
    Lane lanes[2 * beside + 1];

    __device__ void load(const Value *row)
    {
#pragma unroll
        for (int lane = 0; lane <= 2 * beside; ++lane)
            lanes[lane] = reinterpret_cast<const Lane *>(row)[lane - beside];
    }
    __device__ Value operator()(int at) const
    {
        return lanes[(at + beside * width) / width].at[(at + beside * width) % width];
    }
};

constexpr int lowest = @LOWEST@; // layers (rows in 2D, planes in 3D) that neighbours are away
constexpr int highest = @HIGHEST@;
constexpr int ahead = @AHEAD@; // layers that are asked for at once, to keep memory busy
constexpr int blocksAtOnce = @BLOCKS@; // of a multiprocessor, for which there are registers
constexpr int prefetched = @PREFETCHED@; // layers from the one that is read to one brought nearer

// A thread goes from layer to layer, and adds each to all the results that it is a neighbour of.
// Neighbours of one weight are added up first.
__global__ void __launch_bounds__(blockX *blockY, blocksAtOnce)
    iterate(const Value *__restrict__ u, Value *__restrict__ to, Grid grid, Lists lists)
{
    const bool is3D = stencil::dimension == 3;
    const Index i = (Index(blockIdx.x) * blockX + threadIdx.x) * width;
    const Index across = (Index(blockIdx.y) * blockY + threadIdx.y) * rowsAtOnce;
    const Index first = (is3D ? Index(blockIdx.z) : across) * unknowns;
    const Index layers = grid.points[is3D ? 2 : 1], stride = grid.strides[is3D ? 2 : 1];
    if (i >= grid.points[0] || first >= layers || (is3D && across >= grid.points[1]))
        return;
    const Index last = min(first + unknowns, layers);
    // At the end some rows are two threads', which find the same.
    const Index firstRow = is3D ? min(across, grid.points[1] - rowsAtOnce) : 0;
    const Index origin = i + firstRow * grid.strides[1];
    const bool isWhole = i + width <= grid.points[0] && (!ghostsMoveInX || imagesAreLanes(grid));
    const bool isBeside = i < radius || i + width > grid.points[0] - radius;
    // Of the layers that are not complete yet.
    Value sums[rowsAtOnce][highest - lowest + 1][width] = {};
    for (Index next = first + lowest; next < last + highest; next += ahead) {
        Window @WINDOWS@;
#pragma unroll
        for (int a = 0; a < ahead; ++a) {
            const Value *const row = u + origin + min(next + a, last + highest - 1) * stride;
@ROWS@
            if (prefetched > 0) {
#pragma unroll
                for (int y = 0; y < rowsAtOnce; ++y)
                    prefetch(u + origin + y * grid.strides[1]
                             + min(next + a + prefetched, last + highest - 1) * stride);
            }
        }
#pragma unroll
        for (int a = 0; a < ahead; ++a) {
#pragma unroll
            for (int v = 0; v < width; ++v) {
@SUMS@
            }
            const Index done = next + a - highest;
            if (done >= first && done < last) {
#pragma unroll
                for (int y = 0; y < rowsAtOnce; ++y) {
                    const Index o = origin + y * grid.strides[1] + done * stride;
                    Lane result;
#pragma unroll
                    for (int v = 0; v < width; ++v)
                        result.at[v] = sums[y][0][v];
@SOURCE@
                    if (lists.spike >= o && lists.spike < o + width) {
#pragma unroll
                        for (int v = 0; v < width; ++v) {
                            if (o + v == lists.spike)
                                result.at[v] += lists.factor;
                        }
                    }
                    if (isWhole) {
                        stream(to + o, result);
                        if (ghostsMoveInX && isBeside)
                            storeImagesInX(to + o, result, i, grid.points[0]);
                    } else {
#pragma unroll
                        for (int v = 0; v < width; ++v) {
                            if (i + v >= grid.points[0])
                                break;
                            to[o + v] = result.at[v];
                            if (ghostsMoveInX)
                                storeImages(to + o + v, 0, i + v, grid.points[0], 1);
                        }
                    }
                }
            }
#pragma unroll
            for (int y = 0; y < rowsAtOnce; ++y) {
#pragma unroll
                for (int s = 0; s < highest - lowest; ++s) {
#pragma unroll
                    for (int v = 0; v < width; ++v)
                        sums[y][s][v] = sums[y][s + 1][v];
                }
#pragma unroll
                for (int v = 0; v < width; ++v)
                    sums[y][highest - lowest][v] = 0;
            }
        }
    }
}
)";

constexpr std::string_view addSource =
    R"(                    const Lane f = *reinterpret_cast<const Lane *>(lists.f + o);
#pragma unroll
                    for (int v = 0; v < width; ++v)
                        result.at[v] += lists.factor * f.at[v];
)";

/// How a marching thread works, as it was fastest on an H100 (float, 8192^2 values) and in 3D on an
/// H200 (float, 512^3).
struct MarchingShape
{
    int unknowns;       ///< layers of a thread
    int ahead;          ///< layers that are loaded at once
    int blocksAtOnce;   ///< of 256 threads
    int rowsAtOnce = 1; ///< of a thread in a plane
    int prefetched = 0; ///< layers ahead of those that are loaded
};

MarchingShape shapeFor(int dimension, int radius)
{
    if (dimension == 2)
        return radius == 1 ? MarchingShape{8, 10, 1} : MarchingShape{8, radius == 2 ? 6 : 4, 1};
    if (radius == 1)
        return {16, 1, 3, 2, 2};
    return radius == 2 ? MarchingShape{32, 2, 2, 2, 3} : MarchingShape{64, 2, 2, 1, 4};
}

/// A place in a layer: in 3D x and y, in 2D x alone.
using Place = std::array<int, 2>;

/// What a layer adds to the sums of the layers that it is a neighbour of, of which that `highest`
/// below it comes first; `rows`: of a layer. `rowsAtOnce`: of a thread, each with sums of its own;
/// 0: one row, and no index for it.
std::string sumStatements(const Stencil &stencil, const std::vector<int> &rows, int highest,
                          int rowsAtOnce = 0)
{
    const auto along = layerAxis(stencil);
    // Places in a layer by row, layer and weight: those of +1 and -1 are mostly the same.
    std::map<int, std::map<int, std::map<double, std::vector<Place>>>> layersOf;
    for (int y = 0; y < std::max(rowsAtOnce, 1); ++y) {
        for (const auto &neighbour : stencil.neighbours) {
            const Place place{neighbour.at[0], along == 2 ? neighbour.at[1] + y : 0};
            layersOf[y][neighbour.at[along]][neighbour.weight.number()].push_back(place);
        }
    }
    const std::string indent(16, ' ');
    std::string sums;
    const auto valueAt = [&](const Place &place) {
        const auto row = std::ranges::find(rows, place[1]) - rows.begin();
        return fmt::format("r{}[a](v{})", row,
                           place[0] == 0  ? std::string()
                           : place[0] > 0 ? fmt::format(" + {}", place[0])
                                          : fmt::format(" - {}", -place[0]));
    };
    std::map<std::vector<Place>, std::string> names;
    const auto type = typeName(stencil.precision);
    const auto nameOf = [&](std::vector<Place> places) {
        std::ranges::sort(places);
        const auto [found, isNew] = names.emplace(places, fmt::format("g{}", names.size()));
        if (isNew) {
            sums += fmt::format("{}{} {} = {};\n", indent, type, found->second, valueAt(places[0]));
            for (std::size_t i = 1; i < places.size(); i += 2) {
                sums += fmt::format("{}{} += {}", indent, found->second, valueAt(places[i]));
                if (i + 1 < places.size())
                    sums += " + " + valueAt(places[i + 1]);
                sums += ";\n";
            }
        }
        return found->second;
    };
    for (const auto &[y, layers] : layersOf) {
        for (const auto &[layer, weights] : layers) {
            for (const auto &[weight, places] : weights) {
                const auto sum = nameOf(places);
                sums += fmt::format("{}sums{}[{}][v] += {} * {};\n", indent,
                                    rowsAtOnce > 0 ? fmt::format("[{}]", y) : "", highest - layer,
                                    numberText(weight, stencil.precision), sum);
            }
        }
    }
    return sums;
}

std::string marchingKernel(const Stencil &stencil, const MarchingShape &shape)
{
    const auto along = layerAxis(stencil);
    std::vector<int> rows;
    int lowest = largestRadius, highest = -largestRadius;
    for (const auto &neighbour : stencil.neighbours) {
        for (int y = 0; y < shape.rowsAtOnce; ++y)
            rows.push_back(along == 2 ? neighbour.at[1] + y : 0);
        lowest = std::min(lowest, neighbour.at[along]);
        highest = std::max(highest, neighbour.at[along]);
    }
    std::ranges::sort(rows);
    rows.erase(std::ranges::unique(rows).begin(), rows.end());
    std::string windows, loads;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        windows += fmt::format("{}r{}[ahead]", r == 0 ? "" : ", ", r);
        loads +=
            fmt::format("            r{}[a].load(row{});\n", r, steps(rows[r], "grid.strides[1]"));
    }
    return filled(marching, {{"LOWEST", std::to_string(lowest)},
                             {"HIGHEST", std::to_string(highest)},
                             {"AHEAD", std::to_string(shape.ahead)},
                             {"BLOCKS", std::to_string(shape.blocksAtOnce)},
                             {"PREFETCHED", std::to_string(shape.prefetched)},
                             {"WINDOWS", windows},
                             {"ROWS", loads},
                             {"SUMS", sumStatements(stencil, rows, highest, shape.rowsAtOnce)},
                             {"SOURCE", stencil.source.field ? std::string(addSource) : ""}});
}

// ---- several iterations in one pass ------------------------------------------------------------

constexpr std::string_view addSourceOfPass =
    R"(    const Lane f = loadLane(lists.f, row, at, isSpecial);
#pragma unroll
    for (int v = 0; v < width; ++v)
        result.at[v] += lists.factor * f.at[v];
)";

std::string passKernel(const Stencil &stencil, int levels)
{
    // So few registers for each thread that hardly any value has to leave them, as measured for the
    // built-in Jacobi method.
    const int registers = levels * (stencil.precision == solvers::Precision::float32 ? 4 : 8);
    return filled(cudaPassText,
                  {{"LEVELS", std::to_string(levels)},
                   {"RINGX", fmt::format("{}", stencil.isPeriodic(0))},
                   {"RINGY", fmt::format("{}", stencil.isPeriodic(1))},
                   {"SUMS", sumStatements(stencil, {0}, 1)},
                   {"SOURCE", stencil.source.field ? std::string(addSourceOfPass) : ""},
                   {"BLOCKS", registers <= 16   ? "4"
                              : registers <= 32 ? "3"
                                                : "2"}});
}

bool areNumbers(const Stencil &stencil)
{
    return std::ranges::all_of(stencil.neighbours,
                               [](const auto &neighbour) { return neighbour.weight.isNumber(); });
}

/// What was chosen, or `usual` for 0.
std::array<int, 2> blockOf(const Target &target, const std::array<int, 2> &usual)
{
    return target.block[0] > 0 ? target.block : usual;
}

} // namespace

int iterationsPerGpuPass(const Stencil &stencil)
{
    // Passes count rows and columns, also those of patches behind the last ones, in 32 bits.
    constexpr std::size_t longest = std::size_t{1} << 28;
    const bool suits = stencil.dimension == 2 && radiusOf(stencil) <= 1 && areNumbers(stencil)
                       && std::max(stencil.points[0], stencil.points[1]) <= longest;
    return suits ? std::min(stencil.target.iterationsPerPass, mostIterationsPerGpuPass) : 1;
}

CudaKernel cudaKernel(const Stencil &stencil)
{
    const auto &target = stencil.target;
    const bool is3D = stencil.dimension == 3;
    CudaKernel kernel;
    if (!areNumbers(stencil)) {
        kernel.text = gatheringKernel(stencil);
        kernel.block = blockOf(target, {64, 4});
        kernel.unknowns = target.unknowns > 0 ? target.unknowns : 4;
        return kernel;
    }
    auto shape = shapeFor(stencil.dimension, ghostsOf(stencil));
    kernel.block = blockOf(target, is3D ? std::array{32, 8} : std::array{128, 1});
    shape.blocksAtOnce =
        std::max(1, shape.blocksAtOnce * 256 / (kernel.block[0] * kernel.block[1]));
    if (stencil.points[1] < static_cast<std::size_t>(shape.rowsAtOnce))
        shape.rowsAtOnce = 1;
    kernel.rowsAtOnce = shape.rowsAtOnce;
    kernel.text = marchingKernel(stencil, shape);
    kernel.unknowns = target.unknowns > 0 ? target.unknowns : shape.unknowns;
    kernel.isWide = true;
    kernel.levels = iterationsPerGpuPass(stencil);
    if (kernel.levels > 1)
        kernel.text += passKernel(stencil, kernel.levels);
    return kernel;
}

} // namespace gridhelm::stencil
