// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs to fit surrogates to, the same ones on every machine.
#pragma once

#include "core/kriging/fit.h"
#include "core/kriging/kriging_surrogate.h"
#include "tests/core/on_cpu.h"
#include "tests/core/random.h"

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::test {

/// A Latin hypercube: in each parameter, one run in each of `count` equal cells.
inline std::vector<double> latinHypercube(Random &random, std::size_t count, int dimension)
{
    const auto d = static_cast<std::size_t>(dimension);
    std::vector<double> places(count * d);
    for (std::size_t t = 0; t < d; ++t) {
        std::vector<std::size_t> cells(count);
        for (std::size_t i = 0; i < count; ++i)
            cells[i] = i;
        random.shuffle(cells);
        for (std::size_t i = 0; i < count; ++i)
            places[i * d + t] =
                (static_cast<double>(cells[i]) + random.real()) / static_cast<double>(count);
    }
    return places;
}

/// Of functions of a place.
template <typename... Functions>
kriging::Runs runsOf(std::vector<double> places, int dimension, Functions... functions)
{
    const auto d = static_cast<std::size_t>(dimension);
    kriging::Runs runs{places.size() / d, dimension, sizeof...(functions), std::move(places), {}};
    for (std::size_t i = 0; i < runs.runs; ++i) {
        const std::span<const double> x(runs.places.data() + i * d, d);
        (runs.values.push_back(functions(x)), ...);
    }
    return runs;
}

/// Smooth, oscillating, and with a boundary layer.
inline double smoothFunction(std::span<const double> x)
{
    double sum = 0;
    for (std::size_t t = 0; t < x.size(); ++t)
        sum += (x[t] - 0.3) * (x[t] - 0.3) / static_cast<double>(t + 1);
    return 1 / (1 + 3 * sum);
}
inline double waveFunction(std::span<const double> x)
{
    double sum = 0;
    for (std::size_t t = 0; t < x.size(); ++t)
        sum += (5.0 - 2 * static_cast<double>(t)) * x[t];
    return std::cos(sum);
}
inline double layerFunction(std::span<const double> x)
{
    double sum = 1;
    for (std::size_t t = 0; t < x.size(); ++t)
        sum += std::exp(-20 * x[t]) / static_cast<double>(t + 1);
    return sum;
}

/// Of no particular meaning, and different in each parameter.
inline kriging::Hyperparameters someHyperparameters(int dimension, double nugget, bool isWarped)
{
    kriging::Hyperparameters result;
    result.nugget = nugget;
    for (int t = 0; t < dimension; ++t) {
        result.lengths.push_back(0.4 + 0.3 * t);
        if (isWarped) {
            result.warpA.push_back(0.7 + 0.2 * t);
            result.warpB.push_back(1.4 - 0.3 * t);
        }
    }
    return result;
}

/// 23 runs of three parameters, two outputs.
inline kriging::Runs someRuns()
{
    Random random(5);
    return runsOf(latinHypercube(random, 23, 3), 3, smoothFunction, waveFunction);
}

/// Of all outputs at a place.
inline std::vector<double> valuesAt(const kriging::KrigingSurrogate &surrogate,
                                    std::span<const double> x,
                                    OutOfRange outOfRange = OutOfRange::refused)
{
    const auto weights = surrogate.weights(x, surrogate.groups(), outOfRange);
    std::vector<double> values(surrogate.rows());
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        values[weights.rows[i]] = weights.weights[i];
    return values;
}

/// Groups of one form, one behind the other, of so many outputs each.
inline kriging::Fit fitWith(const kriging::Runs &runs, const kriging::Form &form,
                            const std::vector<kriging::Hyperparameters> &groups,
                            const std::vector<std::size_t> &outputs,
                            const ExecutionContext &context)
{
    std::vector<kriging::Component> components;
    for (std::size_t k = 0, first = 0; k < groups.size(); first += outputs[k++])
        components.push_back({form, groups[k], first, outputs.at(k)});
    return kriging::fitWith(runs, components, context);
}

/// All outputs share these hyperparameters.
inline kriging::Fit oneGroup(const kriging::Runs &runs, const kriging::Form &form,
                             const kriging::Hyperparameters &hyperparameters)
{
    return fitWith(runs, form, {hyperparameters}, {runs.outputs}, onCpu());
}

} // namespace gridhelm::test
