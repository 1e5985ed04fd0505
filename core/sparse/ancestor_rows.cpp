// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/ancestor_rows.h"

#include "core/execution/parallel_for.h"

#include <algorithm>
#include <array>

namespace gridhelm::sparse {

void subtractAncestors(std::span<const AncestorRow> ancestors, float *values, std::size_t begin,
                       std::size_t end)
{
    // Weights are dyadic, so that weight * row is exact in double (up to some 29 bits of weight):
    // it makes no difference whether a compiler fuses the multiplication and the subtraction.
    constexpr std::size_t tile = 256; // doubles, in the first-level cache
    std::array<double, tile> sums;
    for (auto first = begin; first < end; first += tile) {
        const auto count = std::min(tile, end - first);
        for (std::size_t i = 0; i < count; ++i)
            sums[i] = static_cast<double>(values[first + i]);
        for (const auto &ancestor : ancestors) {
            const float *row = ancestor.row + first;
            const double weight = ancestor.weight;
            for (std::size_t i = 0; i < count; ++i)
                sums[i] -= weight * static_cast<double>(row[i]);
        }
        for (std::size_t i = 0; i < count; ++i)
            values[first + i] = static_cast<float>(sums[i]);
    }
}

void hierarchizeRows(std::span<const RowToHierarchize> rows, std::size_t columns,
                     const CpuDevice &cpu)
{
    // All rows of a strip of columns, so that ancestors are read from the cache.
    constexpr std::size_t strip = 2048;
    parallelFor((columns + strip - 1) / strip, cpu, 1, [&](std::size_t i) {
        const auto begin = i * strip, end = std::min(begin + strip, columns);
        for (const auto &row : rows)
            subtractAncestors(row.ancestors, row.values, begin, end);
    });
}

} // namespace gridhelm::sparse
