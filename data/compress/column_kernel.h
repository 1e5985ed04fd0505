// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace gridhelm::data {

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

} // namespace gridhelm::data
