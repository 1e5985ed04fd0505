// SPDX-License-Identifier: GPL-3.0-or-later
//
// The update of neighbouring nodes of a plane, one SIMD lane a node: isotropic_update.h and
// anisotropic_update.h with vectors for numbers.
#pragma once

#include "core/solvers/pmm/medium_coefficients.h"

#include <array>
#include <cstddef>
#include <limits>

namespace gridhelm::solvers {

/// Time of nodes that are not reached, also of the ghosts beyond the grid: finite, because
/// differences must not be NaN, and so large that adding a travel time does not change it.
template <typename T>
constexpr T unreachedTime = std::numeric_limits<T>::max() / 16;

/// Some rows of nodes of one plane. Rows may be read from one value before to one value behind
/// them, and overwritten up to the next multiple of a cache line.
template <typename T>
struct PlaneRows
{
    T *node = nullptr;           ///< first node of the first row
    const T *previous = nullptr; ///< the node below it, in the previous plane
    std::ptrdiff_t rowStride = 0;
    std::size_t rows = 0;
    std::size_t width = 0;
    MediumCoefficients<T> constant{};        ///< of all nodes, or:
    std::array<const T *, 2> coefficients{}; ///< of the first node, same strides; or null
    std::array<T, 3> direction{};            ///< a along the row, across the rows, and
                                             ///< from the previous plane to this one
};

/// Update all nodes of the rows; return the largest decrease of a time.
template <typename T>
T updateIsotropic(const PlaneRows<T> &rows);
template <typename T>
T updateAnisotropic(const PlaneRows<T> &rows);

} // namespace gridhelm::solvers
