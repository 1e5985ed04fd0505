// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private to data. A field as a few rows, at the points or cells that a page shows, and what tells
// their weights: the study's POD modes, or where it has none, POD modes of the field at the points
// of its grid.
#pragma once

#include "core/surrogate/surrogate.h"
#include "data/evaluate/study_fields.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace gridhelm::data {

struct PageRows
{
    std::shared_ptr<const Surrogate> surrogate;
    int complete = 0; ///< groups of its grid, see surrogateJson(); 0: no indicator
    std::size_t rows = 0;
    std::size_t columns = 0;   ///< entities x components
    std::vector<float> values; ///< as they are stored (Field), row by row
    /// What the study has at the places that were asked for, places x columns, and what the rows
    /// lack of it at most, relative to its norm; empty and 0 where the rows are the study's own.
    std::vector<float> truth;
    double lacking = 0;

    const float *row(std::size_t m) const { return values.data() + m * columns; }
};

struct PageRowsOptions
{
    /// Relative L2, that modes which are made here may lack of the field.
    double error = 1e-4;
    std::vector<std::vector<double>> places = {}; ///< at which truth is wanted, in the unit cube
    ExecutionContext context = {};
    std::stop_token stop = {};
};

/// `entities`: points or cells of the study's mesh, in the order of the page's. Throws
/// gridhelm::Error if memory does not suffice, the field has no coefficients, or a stop was
/// requested.
PageRows pageRows(StudyFields &fields, FieldIndex field, std::span<const std::uint32_t> entities,
                  const PageRowsOptions &options);

/// The surrogate whose coefficients are whole multiples of a step, a power of 2, so that they take
/// few bytes; null of kriging, whose weights need all their digits.
std::shared_ptr<const Surrogate> withRoundedCoefficients(const Surrogate &surrogate, double step);

/// Coefficients of the rows at places of the unit cube: places x rows.
std::vector<double> coefficientsAt(const Surrogate &surrogate,
                                   const std::vector<std::vector<double>> &places,
                                   const CpuDevice &cpu);

} // namespace gridhelm::data
