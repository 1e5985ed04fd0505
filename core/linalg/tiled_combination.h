// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/execution/tunable.h"
#include "core/linalg/combination.h"

#include <cmath>
#include <cstddef>
#include <span>

namespace gridhelm::linalg {

/// Operation "combination": size is the number of columns.
extern const TunableOperation combinationTunable;

struct CombinationConstants
{
    CombinationConstants() = default;
    /// Those of a table for rows of so many columns.
    CombinationConstants(const TuningTable &table, std::size_t valueBytes, std::size_t columns);

    int tileKib = 128;
    int rowsPerPass = 4;
};

/// linalg::combine(), tile of columns by tile of columns.
template <typename T>
void combineTiles(const SparseWeights &weights, MatrixView<const T> matrix, std::size_t firstColumn,
                  std::span<T> y, std::span<T> indicator, const CpuDevice &cpu,
                  const CombinationConstants &constants);

/// Adds the last group's part to the values and turns it into the indicator.
template <typename T>
void addLastGroup(std::span<T> last, std::span<T> values, std::span<T> indicator)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] += last[i];
        if (!indicator.empty())
            indicator[i] = std::abs(last[i]);
    }
}

} // namespace gridhelm::linalg
