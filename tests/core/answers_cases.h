// SPDX-License-Identifier: GPL-3.0-or-later
//
// Functions on the unit cube, their sparse grid interpolants, and parameters to distribute.
#pragma once

#include "core/answers/response_model.h"
#include "core/execution/execution_context.h"
#include "core/parameters/parameter_space.h"
#include "core/sparse/backend.h"
#include "core/sparse/sparse_grid_surrogate.h"

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::test {

using UnitFunction = std::function<double(std::span<const double>)>;

inline ParameterSpace unitSpace(int dimension)
{
    std::vector<Parameter> parameters;
    for (int t = 0; t < dimension; ++t)
        parameters.push_back({"x" + std::to_string(t), "", 0, 1});
    return ParameterSpace(parameters);
}

/// The interpolant of a function on a grid, as a response.
inline answers::ResponseModel interpolantOf(const UnitFunction &function,
                                            const sparse::GridShape &shape)
{
    auto grid = std::make_shared<const sparse::SparseGrid>(shape);
    std::vector<double> values(grid->points()), x(static_cast<std::size_t>(grid->dimension()));
    for (std::uint64_t i = 0; i < grid->points(); ++i) {
        grid->coordinates(i, x);
        values[i] = function(x);
    }
    sparse::makeReferenceBackend()->hierarchize(*grid, std::span(values));
    return {{{std::make_shared<sparse::SparseGridSurrogate>(grid), values}}, {0.0}};
}

/// Ishigami's function, a = 7 and b = 0.1, of the unit cube.
inline double ishigami(std::span<const double> x)
{
    const auto at = [&](std::size_t t) { return std::numbers::pi * (2 * x[t] - 1); };
    return std::sin(at(0)) + 7 * std::pow(std::sin(at(1)), 2)
           + 0.1 * std::pow(at(2), 4) * std::sin(at(0));
}

/// Sobol's G function: prod (|4 x_t - 2| + a_t) / (1 + a_t).
inline double gFunction(std::span<const double> x, std::span<const double> a)
{
    double product = 1;
    for (std::size_t t = 0; t < x.size(); ++t)
        product *= (std::abs(4 * x[t] - 2) + a[t]) / (1 + a[t]);
    return product;
}

} // namespace gridhelm::test
