// SPDX-License-Identifier: GPL-3.0-or-later
//
// A stencil as C++ (docs/solvers/stencils.md). Sizes of grids are arguments of the code; the
// neighbours, weights, rules of sides and iterations a pass are in it.
#pragma once

#include "core/stencil/stencil.h"

#include <array>
#include <cstddef>
#include <map>
#include <string>

namespace gridhelm::stencil {

/// Whether a kernel is a file of a folder, beside its header, or all in one.
enum class CodeForm { folder, single };

/// stencil.h
std::string headerCode(const Stencil &stencil);
/// stencil.cpp: for CPUs, C++17 with OpenMP.
std::string kernelCode(const Stencil &stencil, CodeForm form);
/// stencil.cu: for one GPU, by CUDA; grids come from the host's memory and go back there.
std::string cudaCode(const Stencil &stencil);

/// The GPU's part of it for NVRTC, which takes no headers. Kernels, by their names:
///   setGhostsAlong(Value *u, Grid, int axis), followValues(Value *u, Grid),
///   iterate(const Value *u, Value *to, Grid, Lists)
///   iterateSeveral(const Value *u, Value *to, Grid, Lists, int rows), if levels > 1: blocks of
///   32 x 4 threads, each of whose warps makes so many rows of `stripWidth` columns. It neither
///   reads nor writes ghosts.
/// with Grid {long long points[3], strides[3]} and Lists {const Value *coefficients[lists], *f;
/// Value factor; long long spike}.
struct CudaDeviceCode
{
    std::string text;
    std::array<int, 2> block{1, 1}; ///< threads of iterate()
    int unknowns = 1;               ///< of a thread, one behind the other
    int width = 1;                  ///< and so many side by side
    int rowsAtOnce = 1;             ///< and in 3D so many rows
    std::size_t lists = 1;
    bool ghostsMove = false; ///< from iteration to iteration
    int levels = 1;          ///< iterations of iterateSeveral(); 1: there is none
    int stripWidth = 1;
};
/// Those that one pass through a GPU's memory makes of the target's: several for stencils of radius
/// 1 in 2D whose weights are numbers, unless rows or columns have more than 2^28 points.
inline constexpr int mostIterationsPerGpuPass = 8;
int iterationsPerGpuPass(const Stencil &stencil);
CudaDeviceCode cudaDeviceCode(const Stencil &stencil);

/// The function updateRow() of it, and the list of rows that it reads.
std::string rowCode(const Stencil &stencil);

/// A folder that builds by itself, for the device of the stencil's target: contents by name. Lists
/// of values are files of raw float64. Throws gridhelm::Error for what that device's code cannot
/// do.
std::map<std::string, std::string> folderCode(const Stencil &stencil);

} // namespace gridhelm::stencil
