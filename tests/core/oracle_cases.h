// SPDX-License-Identifier: GPL-3.0-or-later
//
// The cases of the files in tests/reference that oracles have made: points, coefficients, values.
// The checks are Qt Test bodies: they fail the running test and return.
#pragma once

#include "core/sparse/backend.h"
#include "tests/core/closeness.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

namespace gridhelm::test {

inline double sampledFunction(const std::string &name, const std::vector<double> &x)
{
    double product = 1, sum = 0, waves = 0;
    for (std::size_t t = 0; t < x.size(); ++t) {
        const auto direction = static_cast<double>(t);
        if (name == "parabola")
            product *= 4 * x[t] * (1 - x[t]);
        else if (name == "sines")
            product *= std::sin(std::numbers::pi * x[t]) * (1 + 0.5 * direction * x[t]);
        sum += x[t];
        waves += (direction + 1) * x[t];
    }
    if (name == "waves")
        return std::exp(-0.7 * sum) * std::cos(2 * waves);
    if (name != "parabola" && name != "sines")
        qFatal("unknown function %s", name.c_str());
    return product;
}

/// In storage order.
template <typename T>
std::vector<T> sampledValues(const sparse::SparseGrid &grid, const std::string &function)
{
    std::vector<T> values(grid.points());
    std::vector<double> x(static_cast<std::size_t>(grid.dimension()));
    for (std::uint64_t index = 0; index < grid.points(); ++index) {
        grid.coordinates(index, x);
        values[index] = static_cast<T>(sampledFunction(function, x));
    }
    return values;
}

/// An entry of `some_points`: indices and coordinates exactly.
inline void checkOraclePoint(const sparse::SparseGrid &grid, const nlohmann::json &point)
{
    const auto index = point.at("index").get<std::uint64_t>();
    const auto levels = point.at("level").get<std::vector<sparse::Level>>();
    const auto positions = point.at("position_in_level").get<std::vector<std::uint32_t>>();
    QCOMPARE(grid.gp2idx(levels, positions), index);

    std::vector<sparse::Level> foundLevels(levels.size());
    std::vector<std::uint32_t> foundPositions(levels.size());
    grid.idx2gp(index, foundLevels, foundPositions);
    QCOMPARE(foundLevels, levels);
    QCOMPARE(foundPositions, positions);

    std::vector<double> x(levels.size());
    grid.coordinates(index, x);
    const auto expected = point.at("x").get<std::vector<double>>();
    for (std::size_t t = 0; t < x.size(); ++t)
        QVERIFY(x[t] == expected[t]);
}

/// `relative`: of the largest sampled value.
template <typename T>
void checkOracleCoefficients(const sparse::Backend &backend,
                             const std::shared_ptr<const sparse::SparseGrid> &grid,
                             const nlohmann::json &entry, double relative, const std::string &title)
{
    auto values = sampledValues<T>(*grid, entry.at("function"));
    const double scale = largestMagnitude(values);
    backend.hierarchize(*grid, std::span(values));
    std::vector<T> result;
    std::vector<double> expected;
    for (const auto &[index, coefficient] : entry.at("coefficients").items()) {
        result.push_back(values[std::stoull(index)]);
        expected.push_back(coefficient.template get<double>());
    }
    QVERIFY(!expected.empty());
    GRIDHELM_COMPARE_CLOSE(result, expected, relative * scale, title);
}

template <typename T>
void checkOracleValues(const sparse::Backend &backend,
                       const std::shared_ptr<const sparse::SparseGrid> &grid,
                       const nlohmann::json &entry, double relative, const std::string &title)
{
    auto coefficients = sampledValues<T>(*grid, entry.at("function"));
    const double scale = largestMagnitude(coefficients);
    backend.hierarchize(*grid, std::span(coefficients));
    const auto evaluator = backend.load(grid, coefficients);

    std::vector<T> points;
    for (const auto &point : entry.at("at")) {
        for (double x : point.template get<std::vector<double>>())
            points.push_back(static_cast<T>(x));
    }
    const auto view = viewOf(points, *grid);
    std::vector<T> values(view.count()), indicator(view.count());
    evaluator->interpolate(view, {values, indicator});
    GRIDHELM_COMPARE_CLOSE(values, entry.at("value").template get<std::vector<double>>(),
                           relative * scale, title);
    GRIDHELM_COMPARE_CLOSE(indicator, entry.at("indicator").template get<std::vector<double>>(),
                           relative * scale, title);
}

} // namespace gridhelm::test
