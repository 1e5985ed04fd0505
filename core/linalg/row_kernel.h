// SPDX-License-Identifier: GPL-3.0-or-later
//
// Linear combinations of long rows of values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gridhelm::linalg {

template <typename T>
struct WeightedRow
{
    const T *row;
    T weight;
};

/// Of long rows, this many are added in one pass over the target: more streams than that the
/// CPU does not follow at full speed (measured on Zen 5, where fetching ahead by software
/// made it slower).
inline constexpr std::size_t longRowsPerPass = 4;

/// target[i] = sum of terms[j].weight * terms[j].row[i] for i < width, in the order of the terms.
/// Runs at memory speed when the rows come from memory; of long ones, so many, at most 8, are added
/// in one pass over the target. `target` may be one of the rows.
template <typename T>
void combineRows(std::span<const WeightedRow<T>> terms, T *target, std::size_t width,
                 std::size_t rowsPerPass = longRowsPerPass);

/// Two combinations of the same rows, term by term, of which each is read once: the values that
/// combineRows() gives for `terms` and for `others`.
template <typename T>
void combineRowsTwice(std::span<const WeightedRow<T>> terms, std::span<const WeightedRow<T>> others,
                      T *target, T *otherTarget, std::size_t width);

/// One of a sequence of combinations; `terms` counts its terms in a common list.
template <typename T>
struct RowCombination
{
    T *target;
    std::size_t terms;
};

/// combineRows for one combination after the other; later ones may use earlier targets.
template <typename T>
void combineRowsInOrder(std::span<const RowCombination<T>> combinations,
                        std::span<const WeightedRow<T>> terms, std::size_t width);

/// Where a coordinate lies between equidistant rows: at `fraction` of the way from row `cell` to
/// the next one.
template <typename T>
struct AxisPoint
{
    std::uint32_t cell;
    T fraction;
};

/// For every point of an axis, a row of `width` values at target, `targetStride` apart:
/// (1 - fraction) * rows[cell] + fraction * rows[cell + 1].
template <typename T>
void interpolateRows(const T *rows, std::span<const AxisPoint<T>> axis, T *target,
                     std::size_t targetStride, std::size_t width);

} // namespace gridhelm::linalg
