// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private to data. Rows of a field in few bits: whole multiples of a step of each, as large as an
// error allows. A step is the same share of what its row contributes, so that rows which contribute
// less get fewer bits, and the least none (docs/theory/quantisation.md, eq:page-steps).
#pragma once

#include "core/execution/device.h"
#include "data/page/page_rows.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace gridhelm::data {

struct PageCodes
{
    std::vector<std::size_t> rows; ///< of PageRows, those that are not 0 everywhere
    std::vector<double> steps;     ///< of each of them
    std::vector<std::vector<std::int32_t>> codes;
    std::shared_ptr<const Surrogate> surrogate; ///< of PageRows, perhaps with rounded coefficients
    double coefficientStep = 0;                 ///< by which they are; 0: they are as they were
    double rounding = 0;      ///< relative L2 that this adds, the largest over the places
    std::vector<double> gram; ///< mean products of these rows over the columns, row by row

    // Measured beside the study's own numbers, over places x columns:
    double relativeL2 = 0; ///< of a place, the largest
    double largest = 0;    ///< difference of a single number, as stored
    /// Lowest and highest number of each component, then of the magnitude of what they stand for.
    std::vector<std::array<double, 2>> ranges;
};

/// Beside what codes are measured.
struct CodesMeasure
{
    const std::vector<std::vector<double>> &places; ///< of PageRowsOptions
    /// Of each place and entity, below 0 where the field does not count; empty: it does everywhere.
    std::span<const float> distance = {};
    CpuDevice cpu = {};
    std::stop_token stop = {};
};

/// `allowed`: relativeL2 is that, as far as it can be predicted, or that of the finest steps.
/// Throws gridhelm::Error soon after a stop was requested.
PageCodes pageCodes(const PageRows &rows, const Field &field, double allowed,
                    const CodesMeasure &beside);

/// The numbers of a field at these places, places x columns: the study's own, or by its rows.
std::vector<float> valuesAt(const PageRows &rows, const std::vector<std::vector<double>> &places,
                            const CpuDevice &cpu);

} // namespace gridhelm::data
