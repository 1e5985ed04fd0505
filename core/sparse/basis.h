// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one-dimensional basis functions of all boundary treatments (ARCHITECTURE.md, Eq. 4 to 6), for
// one point at a time. The fast paths are tested against these.
#pragma once

#include "core/sparse/boundary_treatment.h"

#include <cstdint>

#if defined(__CUDACC__)
#define GRIDHELM_HOST_DEVICE __host__ __device__
#else
#define GRIDHELM_HOST_DEVICE
#endif

namespace gridhelm::sparse {

/// The cell of width 2^-level that holds x, and x in units of that cell.
/// x = 1 belongs to the last cell ([Murarasu2013], Eq. 3.19, with a clamp).
template <typename T>
struct Cell
{
    std::uint32_t position; ///< 0 .. 2^level - 1
    T fraction;             ///< 0 .. 1 inside the cell
};

template <typename T>
GRIDHELM_HOST_DEVICE constexpr Cell<T> cellOf(int level, T x)
{
    const T scaled = x * static_cast<T>(std::uint32_t{1} << level);
    const auto last = (std::uint32_t{1} << level) - 1U;
    const auto position = static_cast<std::uint32_t>(scaled);
    if (position > last)
        return {last, T(1)};
    return {position, scaled - static_cast<T>(position)};
}

/// Value at x of the one function of `level` >= 0 whose support holds x.
template <typename T>
GRIDHELM_HOST_DEVICE constexpr T basisValue(BoundaryTreatment treatment, int level, Cell<T> cell)
{
    if (treatment == BoundaryTreatment::modified) {
        if (level == 0)
            return T(1);
        if (cell.position == 0)
            return T(2) - T(2) * cell.fraction;
        if (cell.position == (std::uint32_t{1} << level) - 1U)
            return T(2) * cell.fraction;
    }
    // Exact in both halves; 1 - |2 fraction - 1| would lose small values next to the ends.
    return T(2) * (cell.fraction < T(0.5) ? cell.fraction : T(1) - cell.fraction);
}

/// Its derivative in x: to the right at kinks, to the left at x = 1.
template <typename T>
GRIDHELM_HOST_DEVICE constexpr T basisDerivative(BoundaryTreatment treatment, int level,
                                                 Cell<T> cell)
{
    const T slope = T(2) * static_cast<T>(std::uint32_t{1} << level);
    if (treatment == BoundaryTreatment::modified) {
        if (level == 0)
            return T(0);
        if (cell.position == 0)
            return -slope;
        if (cell.position == (std::uint32_t{1} << level) - 1U)
            return slope;
    }
    return cell.fraction < T(0.5) ? slope : -slope;
}

/// The functions of level -1: 1 - x (position 0) and x (position 1).
template <typename T>
GRIDHELM_HOST_DEVICE constexpr T endPointValue(std::uint32_t position, T x)
{
    return position == 0 ? T(1) - x : x;
}

} // namespace gridhelm::sparse
