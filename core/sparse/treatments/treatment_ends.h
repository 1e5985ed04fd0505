// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a boundary treatment is made of. The points of level l >= 0 are the middles of 2^l cells of
// width 2^-l. In its cell a function is piecewise linear and 1 in the middle, outside it is 0. At
// the ends of the cell it is 0, too, except where the cell ends at x = 0 or x = 1: there treatments
// differ, and nowhere else, so a few numbers say all of it.
#pragma once

#include "core/support/host_device.h"

#include <cstdint>
#include <initializer_list>

namespace gridhelm::sparse {

/// An end of a dimension: x = 0 or x = 1.
enum class End : std::uint8_t { low, high };

/// A number for each end.
struct AtEnds
{
    int low = 0;
    int high = 0;

    GRIDHELM_HOST_DEVICE constexpr int operator[](End end) const
    {
        return end == End::low ? low : high;
    }
    constexpr bool operator==(const AtEnds &) const = default;
};

/// The behaviour of a dimension's functions at x = 0 and x = 1.
struct TreatmentEnds
{
    /// Level -1 adds the end points, with the functions 1 - x and x.
    bool arePoints = false;
    /// Values of the function of level 0: 0 (it vanishes), 1 (it is constant) or 2 (linear).
    AtEnds levelZero{};
    /// Values of the outermost functions of the levels above: 0 or 2. So what a coarser grid has at
    /// an end follows from two of its points (see predictOutermost).
    AtEnds outermost{};
};

/// Whether the function of level 0 is 1 everywhere.
GRIDHELM_HOST_DEVICE constexpr bool isConstantOnLevelZero(const TreatmentEnds &ends)
{
    return ends.levelZero.low == 1 && ends.levelZero.high == 1;
}

/// Whether these numbers make a hierarchical basis that can be evaluated: nothing but the end
/// points where there are some; and no function that is nonzero where that of level 0 vanishes,
/// since others are divided by it.
constexpr bool areConsistent(const TreatmentEnds &ends)
{
    for (const End end : {End::low, End::high}) {
        const int zero = ends.levelZero[end], outermost = ends.outermost[end];
        if (zero < 0 || zero > 2 || (outermost != 0 && outermost != 2))
            return false;
        if ((zero == 0 || ends.arePoints) && outermost != 0)
            return false;
        if (ends.arePoints && zero != 0)
            return false;
    }
    return true;
}

/// What the coarser levels predict for the outermost point of a level at one end:
/// firstWeight * v(firstLevel) + secondWeight * v(secondLevel), v(k) being the value at the
/// outermost point of level k there, at the end point if k = -1.
struct OutermostPrediction
{
    int firstLevel;
    int secondLevel;
    double firstWeight;
    double secondWeight;
};

/// For level >= 1. The coarser interpolant is linear in the point's cell, so it predicts the mean
/// of its values at the cell's inner end, which is the outermost point of the level above, and at
/// the end of the range (sparse-grids.md, eq:surplus and eq:surplus-modified).
GRIDHELM_HOST_DEVICE constexpr OutermostPrediction predictOutermost(const TreatmentEnds &ends,
                                                                    End end, int level)
{
    if (ends.arePoints)
        return end == End::low ? OutermostPrediction{-1, level - 1, 0.5, 0.5}
                               : OutermostPrediction{level - 1, -1, 0.5, 0.5};
    if (ends.outermost[end] != 0 && level > 1) // at the end 2 v(level - 1) - v(level - 2)
        return {level - 1, level - 2, 1.5, -0.5};
    if (ends.levelZero[end] == 0)
        return {level - 1, level - 1, 0.5, 0};
    return {level - 1, 0, 0.5, 0.5 * ends.levelZero[end]}; // there still a multiple of v(0)
}

} // namespace gridhelm::sparse
