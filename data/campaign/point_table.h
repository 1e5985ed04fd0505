// SPDX-License-Identifier: GPL-3.0-or-later
//
// Points as CSV, as importRows() reads them once a column `file` is added.
#pragma once

#include "core/parameters/parameter_space.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

/// The line of the names, and a line of values.
std::string pointCsvHeader(const ParameterSpace &space);
std::string pointCsvRow(const std::vector<double> &values);

/// Points of a grid, with the header.
std::string pointCsv(const ParameterSpace &space, const sparse::SparseGrid &grid,
                     std::span<const std::uint64_t> points);

} // namespace gridhelm::data
