// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kriging/model.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::data {

/// Kriging of a field, as a study keeps it: places to the coefficients of the field's modes.
struct FieldKriging
{
    /// A study has no kriging of more runs: a matrix of runs x runs numbers is made of them.
    static constexpr std::size_t mostRuns = 4000;

    kriging::Model model; ///< an output for each mode; at most mostRuns runs

    // Which runs the model was fitted to, in the order of its places.
    std::vector<std::uint64_t> points; ///< those of the grid, by their indices in Study::grid()
    std::vector<std::int64_t> trainingRuns; ///< then others, by their numbers

    /// runs x modes: of each coefficient of a run what all other runs do not predict, but for those
    /// of the same simulation at other times
    std::vector<double> leaveOneOut;

    bool operator==(const FieldKriging &) const = default;
};

} // namespace gridhelm::data
