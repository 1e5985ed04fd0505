// SPDX-License-Identifier: GPL-3.0-or-later
//
// Geometric means over fields of how errors compare.
#pragma once

#include "app/bench/accuracy_measure.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::bench {

struct AccuracyCase
{
    AccuracyField field;
    std::vector<AccuracyRow> rows;
};

struct RatioSummary
{
    std::size_t count = 0; ///< rows that have a ratio; 0: nothing else means anything
    double mean = 0;       ///< geometric
    double worst = 0;      ///< the largest
    std::string worstField;
};

/// Of a row, the ratio of an error to another one, above 0; none if it has none.
using RatioOfRow = std::function<std::optional<double>(const AccuracyField &, const AccuracyRow &)>;

/// Over the rows with this wished number of runs (0: any) of the fields of a family (empty: all).
RatioSummary summarizeRatios(std::span<const AccuracyCase> cases, std::size_t wished,
                             std::string_view family, const RatioOfRow &ratio);

/// The surrogate that an adaptive study has chosen, to the better one of its runs.
double pickedToBest(const AccuracyRow &row);

/// Families of these cases, in their order, each once.
std::vector<std::string> familiesOf(std::span<const AccuracyCase> cases);

} // namespace gridhelm::bench
