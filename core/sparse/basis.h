// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one-dimensional basis functions of all boundary treatments (sparse-grids.md, eq:hat to
// eq:modified), for one point at a time. The fast paths are tested against these.
#pragma once

#include "core/sparse/boundary_treatment.h"
#include "core/support/host_device.h"

#include <cstdint>

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

/// The function of a cell that is `low` and `high` at the cell's ends and 1 in the middle.
template <int low, int high, typename T>
GRIDHELM_HOST_DEVICE constexpr T inCell(T fraction)
{
    if constexpr (low == 1 && high == 1) {
        return T(1);
    } else if constexpr (low == 2 && high == 0) {
        return T(2) - T(2) * fraction;
    } else if constexpr (low == 0 && high == 2) {
        return T(2) * fraction;
    } else if constexpr (low == 0 && high == 0) {
        // Exact in both halves; 1 - |2 fraction - 1| would lose small values next to the ends.
        return T(2) * (fraction < T(0.5) ? fraction : T(1) - fraction);
    } else {
        return fraction < T(0.5) ? T(low) + T(2 - 2 * low) * fraction
                                 : T(high) + T(2 - 2 * high) * (T(1) - fraction);
    }
}

/// Its derivative in `fraction`: to the right in the middle.
template <int low, int high, typename T>
GRIDHELM_HOST_DEVICE constexpr T slopeInCell(T fraction)
{
    return fraction < T(0.5) ? T(2 - 2 * low) : T(2 * high - 2);
}

/// Value at x of the one function of `level` >= 0 whose support holds x.
template <typename Treatment, typename T>
GRIDHELM_HOST_DEVICE constexpr T basisValue(int level, Cell<T> cell)
{
    constexpr auto ends = Treatment::ends;
    constexpr auto zero = ends.levelZero, outermost = ends.outermost;
    if constexpr (zero != AtEnds{}) {
        if (level == 0)
            return inCell<zero.low, zero.high>(cell.fraction);
    }
    if constexpr (outermost.low != 0) {
        if (cell.position == 0)
            return inCell<outermost.low, 0>(cell.fraction);
    }
    if constexpr (outermost.high != 0) {
        if (cell.position == (std::uint32_t{1} << level) - 1U)
            return inCell<0, outermost.high>(cell.fraction);
    }
    return inCell<0, 0>(cell.fraction);
}

/// Its derivative in x: to the right at kinks, to the left at x = 1.
template <typename Treatment, typename T>
GRIDHELM_HOST_DEVICE constexpr T basisDerivative(int level, Cell<T> cell)
{
    constexpr auto ends = Treatment::ends;
    constexpr auto zero = ends.levelZero, outermost = ends.outermost;
    const T cells = static_cast<T>(std::uint32_t{1} << level);
    if constexpr (zero != AtEnds{}) {
        if (level == 0)
            return cells * slopeInCell<zero.low, zero.high>(cell.fraction);
    }
    if constexpr (outermost.low != 0) {
        if (cell.position == 0)
            return cells * slopeInCell<outermost.low, 0>(cell.fraction);
    }
    if constexpr (outermost.high != 0) {
        if (cell.position == (std::uint32_t{1} << level) - 1U)
            return cells * slopeInCell<0, outermost.high>(cell.fraction);
    }
    return cells * slopeInCell<0, 0>(cell.fraction);
}

/// Both for a treatment that is known when it runs.
template <typename T>
GRIDHELM_HOST_DEVICE constexpr T basisValue(BoundaryTreatment treatment, int level, Cell<T> cell)
{
    return withTreatment(treatment,
                         [&](auto type) { return basisValue<decltype(type)>(level, cell); });
}
template <typename T>
GRIDHELM_HOST_DEVICE constexpr T basisDerivative(BoundaryTreatment treatment, int level,
                                                 Cell<T> cell)
{
    return withTreatment(treatment,
                         [&](auto type) { return basisDerivative<decltype(type)>(level, cell); });
}

/// The functions of level -1: 1 - x (position 0) and x (position 1), and their derivatives.
template <typename T>
GRIDHELM_HOST_DEVICE constexpr T endPointValue(std::uint32_t position, T x)
{
    return position == 0 ? T(1) - x : x;
}
template <typename T>
GRIDHELM_HOST_DEVICE constexpr T endPointDerivative(std::uint32_t position)
{
    return position == 0 ? T(-1) : T(1);
}

} // namespace gridhelm::sparse
