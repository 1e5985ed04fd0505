// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/codec/quantised_row.h"
#include "data/evaluate/study_surrogate.h"

#include <span>
#include <vector>

namespace gridhelm::bench {

/// Rows from which pictures are combined as they are: as float32, or in few bits.
struct CombinedRows
{
    const Surrogate *surrogate = nullptr; ///< null: there are none
    linalg::MatrixView<const float> floats{};
    codec::QuantisedRows codes{}; ///< in place of `floats`, unless it has no rows

    bool areInFewBits() const { return !codes.rows.empty(); }
    /// At a place of the unit cube, without an indicator: each row once.
    SparseWeights weights(std::span<const double> x) const
    {
        const int groups = surrogate->groups();
        return data::weightsAt(*surrogate, x, groups, OutOfRange::refused, groups, false);
    }
};

/// Bytes of the rows that a picture reads, in the mean over the places.
double bytesOfPicture(const CombinedRows &rows, const std::vector<std::vector<double>> &places);

} // namespace gridhelm::bench
