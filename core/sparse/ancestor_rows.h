// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hierarchization of grids of vectors, row by row: a row of coefficients is the row of values minus
// a combination of rows of coefficients (core/sparse/growth.h, ancestorWeights()). Columns, the
// nodes of a mesh, do not meet, so that whoever shares them returns the bits of one.
#pragma once

#include "core/execution/device.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::sparse {

/// The coefficients of one ancestor, and the value of its function at the point.
struct AncestorRow
{
    const float *row;
    double weight;
};

/// values[i] -= sum_b ancestors[b].weight * ancestors[b].row[i], for begin <= i < end: every sum in
/// double, in the order of the ancestors, rounded once.
void subtractAncestors(std::span<const AncestorRow> ancestors, float *values, std::size_t begin,
                       std::size_t end);

/// A row of values that becomes one of coefficients.
struct RowToHierarchize
{
    float *values;
    std::vector<AncestorRow> ancestors;
};

/// In place, so many columns of each row; ancestors that are themselves among the rows come before
/// those above them.
void hierarchizeRows(std::span<const RowToHierarchize> rows, std::size_t columns,
                     const CpuDevice &cpu);

} // namespace gridhelm::sparse
