// SPDX-License-Identifier: GPL-3.0-or-later
//
// What generated code is called with: the same fields, in the same order, as the struct Run in the
// text of generate/header_code.cpp.
#pragma once

#include <cstddef>

namespace gridhelm::stencil {

/// Grids have `radius` ghost values and rows (and planes, in 3D) around them, see GridLayout; the
/// pointers are to the first point.
template <typename T>
struct KernelRun
{
    T *present = nullptr;
    T *next = nullptr;                      ///< swapped with `present` as it is needed
    const T *source = nullptr;              ///< f, in the same layout; null if there is none
    const T *const *coefficients = nullptr; ///< in the same layout
    std::ptrdiff_t points[3] = {1, 1, 1};
    std::ptrdiff_t rowStride = 0; ///< values from a row to the next
    std::ptrdiff_t planeStride = 0;
    std::ptrdiff_t spike[3] = {-1, -1, -1}; ///< the point with f = 1; -1: none
    T sourceFactor = 1;                     ///< s
    int threads = 1;
    std::ptrdiff_t cacheBytes = 1 << 20; ///< that a core has for itself
    int streams = 0;                     ///< 1: results go past the caches
    int compares = 0;                    ///< 1: the largest change of the last iteration is wanted
};

/// Does so many iterations; the newest values are in run->present then. Returns the largest change
/// of a value in the last one, or 0 if it is not wanted. extern "C": no exception leaves it.
template <typename T>
using KernelFunction = double (*)(KernelRun<T> *run, std::ptrdiff_t iterations);

/// The name of that function in a library. It has the version of the struct in it.
inline constexpr const char *kernelSymbol = "gridhelm_stencil_advance_1";

} // namespace gridhelm::stencil
