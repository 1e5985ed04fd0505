// SPDX-License-Identifier: GPL-3.0-or-later
//
// What `bench sparse` measures, one function a topic. Every result is a JSON object with rates and
// their ratios to base lines measured in the same run.
#pragma once

#include "app/bench/measure.h"
#include "core/execution/execution_context.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace gridhelm::bench {

/// A regular grid of treatment `zero`.
struct GridCase
{
    int dimension;
    int level;
};

/// Parses "4/8,10/5". Throws gridhelm::Error.
std::vector<GridCase> parseCases(const std::string &text);

struct SparseBenchOptions
{
    std::size_t points = 100000;
    ExecutionContext context{CpuDevice{}}; ///< "all"
    MeasureOptions measure;
    double literalSeconds = 0.5; ///< the literal reference gets as many points as take this long
};

/// Evaluation at random points and hierarchization, in double and float.
nlohmann::json benchGrid(const GridCase &gridCase, const SparseBenchOptions &options);

/// `spvm` of `rows` x `columns` floats beside one read of the same matrix.
nlohmann::json benchSpvm(std::size_t rows, std::size_t columns, const SparseBenchOptions &options);

/// `car`: a cube of side^3 values out of a grid of 6 dimensions beside writing it once and beside
/// the path for random points.
nlohmann::json benchCartesian(std::size_t side, const SparseBenchOptions &options);

} // namespace gridhelm::bench
