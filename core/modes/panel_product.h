// SPDX-License-Identifier: GPL-3.0-or-later
//
// Products of matrices in double, from panels: pieces that are `panelWidth` wide, row after row,
// filled up with zeros. What Gram matrices, modes and their errors are made of.
#pragma once

#include <cstddef>

namespace gridhelm::modes {

inline constexpr std::size_t panelWidth = 24;

constexpr std::size_t panelsFor(std::size_t count)
{
    return (count + panelWidth - 1) / panelWidth;
}

/// c[i * stride + j] += sum_k a[k * panelWidth + i] b[k * panelWidth + j], for i, j < panelWidth
/// and k < depth: each sum by itself, in the order of k, then added once.
void multiplyPanels(const double *a, const double *b, std::size_t depth, double *c,
                    std::size_t stride);

} // namespace gridhelm::modes
