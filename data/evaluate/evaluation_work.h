// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/computed_on.h"

#include <cstddef>
#include <cstdint>

namespace gridhelm::data {

enum class CoefficientsFrom : std::uint8_t {
    memory, ///< rows in memory, read from their beginning to their end
    list,   ///< values here and there in these rows, by a list of columns
    file,   ///< rows that were read from the study's file first
};

/// What evaluating a field computes and moves, by count rather than measured: y = sum_r w_r A[r]
/// over R rows and C columns of single precision, the last level's rows apart (linalg::combine).
///
/// where a value of a row takes V bytes, 4 unless it is in fewer bits:
///
///     flops = C (2 R + 1)      a product and a sum for each row; what the last level adds, added
///     bytes = C (V R + 8)      each coefficient read once, value and indicator written once;
///                              without an indicator C (V R + 4), with a list of columns 4 C more;
///                              modes that the indicator names again are read already
///
/// Not counted: the weights (R of them stay in the cache), sums that are kept there meanwhile, the
/// rest of cache lines of which a list of columns uses a part (up to 15 values for one), lines that
/// are read in order to be written, and reading the file.
struct EvaluationWork
{
    std::uint64_t rows = 0;    ///< R: of nonzero weight
    std::uint64_t columns = 0; ///< C; 0: nothing is known of this evaluation
    bool hasIndicator = false;
    CoefficientsFrom from = CoefficientsFrom::memory;
    ComputedOn computedOn{};
    std::uint64_t rowsAgain = 0;       ///< of R: named a second time, see modes::ModalSurrogate
    double valueBytes = sizeof(float); ///< V
    /// Of a field in modes of which the leading ones were combined alone: how many, what share of
    /// the field's energy they hold here, and the norm of what the others would have added. 0, 1, 0
    /// if all were.
    std::uint64_t leadingModes = 0;
    double energyShare = 1;
    double lacking = 0;

    bool isKnown() const { return columns > 0; }

    double flops() const
    {
        return static_cast<double>(columns) * (2 * static_cast<double>(rows) + 1);
    }
    double bytes() const
    {
        const int others = 1 + (hasIndicator ? 1 : 0) + (from == CoefficientsFrom::list ? 1 : 0);
        return static_cast<double>(columns)
               * (valueBytes * static_cast<double>(rows - rowsAgain)
                  + static_cast<double>(sizeof(float)) * others);
    }

    bool operator==(const EvaluationWork &) const = default;
};

} // namespace gridhelm::data
