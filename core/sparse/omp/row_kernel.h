// SPDX-License-Identifier: GPL-3.0-or-later
//
// Linear combinations of long rows of values.
#pragma once

#include <cstddef>
#include <span>

namespace gridhelm::sparse::omp {

template <typename T>
struct WeightedRow
{
    const T *row;
    T weight;
};

/// target[i] = sum of terms[j].weight * terms[j].row[i] for i < width, in the order of the terms.
/// Runs at memory speed when the rows come from memory. `target` overlaps no row.
template <typename T>
void combineRows(std::span<const WeightedRow<T>> terms, T *target, std::size_t width);

/// target[i] += first.weight * first.row[i] + second.weight * second.row[i].
template <typename T>
void addTwoRows(const WeightedRow<T> &first, const WeightedRow<T> &second, T *target,
                std::size_t width);

} // namespace gridhelm::sparse::omp
