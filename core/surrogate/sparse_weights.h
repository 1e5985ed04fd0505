// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm {

/// The value at one parameter point as a combination of rows: sum_b weights[b] A[rows[b]].
struct SparseWeights
{
    std::vector<std::uint64_t> rows; ///< ascending, on both sides of lastGroupBegin
    std::vector<double> weights;     ///< nonzero
    /// Rows from here on are the indicator's: what the last group adds (of a study that has just
    /// grown: the last complete one).
    std::size_t lastGroupBegin = 0;
};

/// Whether the same rows stand on both sides of lastGroupBegin: modes have a part in both.
inline bool namesRowsTwice(const SparseWeights &weights)
{
    const auto middle = static_cast<std::ptrdiff_t>(weights.lastGroupBegin);
    return weights.lastGroupBegin < weights.rows.size()
           && std::equal(weights.rows.begin(), weights.rows.begin() + middle,
                         weights.rows.begin() + middle, weights.rows.end());
}

} // namespace gridhelm
