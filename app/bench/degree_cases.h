// SPDX-License-Identifier: GPL-3.0-or-later
//
// What degrees and other points cost beside hats, for `bench sparse`.
#pragma once

#include "app/bench/sparse_cases.h"

#include <nlohmann/json.hpp>

namespace gridhelm::bench {

/// For treatments with degrees, one grid each in 5 dimensions: evaluation at random points on one
/// thread, time for each point and contributing function (SparseGrid::activeFunctions()), and
/// hierarchization, time for each grid point, of every degree and as ratios to those of degree 1;
/// and leja, as ratios to clenshaw-curtis of degree 1. In double and float.
nlohmann::json benchDegrees(const SparseBenchOptions &options);

} // namespace gridhelm::bench
