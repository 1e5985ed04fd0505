// SPDX-License-Identifier: GPL-3.0-or-later
//
// What degrees and other points cost beside hats, for `bench sparse`.
#pragma once

#include "app/bench/sparse_cases.h"

#include "core/sparse/grid_shape.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace gridhelm::bench {

struct DegreeShape
{
    std::string treatment;
    int degree;
    sparse::GridShape shape;
};

inline constexpr int degreeDimension = 5;

/// Of every degree of a treatment, degree 1 first; behind those of clenshaw-curtis leja.
std::vector<DegreeShape> degreeShapes(sparse::BoundaryTreatment treatment, int level);

/// For treatments with degrees, one grid each in 5 dimensions: evaluation at random points on one
/// thread, time for each point and contributing function (SparseGrid::activeFunctions()), and
/// hierarchization, time for each grid point, of every degree and as ratios to those of degree 1;
/// and leja, as ratios to clenshaw-curtis of degree 1. In double and float.
nlohmann::json benchDegrees(const SparseBenchOptions &options);

} // namespace gridhelm::bench
