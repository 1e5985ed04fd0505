// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace gridhelm::cli {

/// Points of [0, 1]^dimension from a table, one a row ("-" reads stdin); row-major. At least one.
/// Throws gridhelm::Error naming what is wrong where.
std::vector<double> readPoints(const std::string &path, int dimension);

} // namespace gridhelm::cli
