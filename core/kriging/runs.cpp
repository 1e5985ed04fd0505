// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/runs.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace gridhelm::kriging {

namespace {

const double *placeOf(const Runs &runs, std::size_t run)
{
    return runs.places.data() + run * static_cast<std::size_t>(runs.dimension);
}

void requireFinite(const Runs &runs)
{
    constexpr double roundOff = 1e-9;
    const auto d = static_cast<std::size_t>(runs.dimension);
    for (std::size_t i = 0; i < runs.places.size(); ++i) {
        if (!(runs.places[i] >= -roundOff && runs.places[i] <= 1 + roundOff))
            throw Error("coordinate " + std::to_string(i % d + 1) + " of run "
                        + std::to_string(i / d + 1) + " is " + std::to_string(runs.places[i])
                        + ", outside [0, 1]: leave the run out, or widen the parameter's range");
    }
    for (std::size_t i = 0; i < runs.values.size(); ++i) {
        if (!std::isfinite(runs.values[i]))
            throw Error("value " + std::to_string(i % runs.outputs + 1) + " of run "
                        + std::to_string(i / runs.outputs + 1)
                        + " is no finite number: leave the run out");
    }
}

} // namespace

void requireUsable(const Runs &runs)
{
    if (runs.dimension < 1 || runs.outputs < 1)
        throw Error("kriging needs at least one parameter and one output; there are "
                    + std::to_string(runs.dimension) + " and " + std::to_string(runs.outputs));
    if (runs.runs < 2)
        throw Error("kriging needs at least two runs to see a difference, and there are "
                    + std::to_string(runs.runs) + ": run more");
    if (runs.places.size() != runs.runs * static_cast<std::size_t>(runs.dimension)
        || runs.values.size() != runs.runs * runs.outputs)
        throw Error("kriging has " + std::to_string(runs.places.size()) + " coordinates and "
                    + std::to_string(runs.values.size()) + " values for "
                    + std::to_string(runs.runs) + " runs: give each run as many");
    requireFinite(runs);
}

std::vector<std::size_t> spreadSubset(const Runs &runs, std::size_t count)
{
    const auto d = static_cast<std::size_t>(runs.dimension);
    const auto squaredDistance = [d](const double *a, const double *b) {
        double sum = 0;
        for (std::size_t t = 0; t < d; ++t)
            sum += (a[t] - b[t]) * (a[t] - b[t]);
        return sum;
    };
    const std::vector<double> middle(d, 0.5);
    std::vector<double> distances(runs.runs); // to what is taken; of the first: its closeness
    for (std::size_t i = 0; i < runs.runs; ++i)
        distances[i] = -squaredDistance(placeOf(runs, i), middle.data());
    std::vector<std::size_t> taken;
    while (taken.size() < std::min(count, runs.runs)) {
        const auto next =
            static_cast<std::size_t>(std::ranges::max_element(distances) - distances.begin());
        if (taken.empty())
            std::ranges::fill(distances, std::numeric_limits<double>::infinity());
        taken.push_back(next);
        for (std::size_t i = 0; i < runs.runs; ++i)
            distances[i] =
                std::min(distances[i], squaredDistance(placeOf(runs, i), placeOf(runs, next)));
        distances[next] = -1; // once only, also where others are at the same place
    }
    std::ranges::sort(taken);
    return taken;
}

Runs onlyRuns(const Runs &runs, const std::vector<std::size_t> &which)
{
    Runs result{which.size(), runs.dimension, runs.outputs, {}, {}};
    for (const std::size_t run : which) {
        const double *place = placeOf(runs, run);
        const double *values = runs.values.data() + run * runs.outputs;
        result.places.insert(result.places.end(), place, place + runs.dimension);
        result.values.insert(result.values.end(), values, values + runs.outputs);
    }
    return result;
}

Runs onlyOutputs(const Runs &runs, std::size_t first, std::size_t end)
{
    Runs result{runs.runs, runs.dimension, end - first, runs.places, {}};
    for (std::size_t run = 0; run < runs.runs; ++run) {
        const double *values = runs.values.data() + run * runs.outputs;
        result.values.insert(result.values.end(), values + first, values + end);
    }
    return result;
}

std::vector<int> varyingParameters(const Runs &runs)
{
    std::vector<int> result;
    for (int t = 0; t < runs.dimension; ++t) {
        for (std::size_t run = 1; run < runs.runs; ++run) {
            if (placeOf(runs, run)[t] != placeOf(runs, 0)[t]) {
                result.push_back(t);
                break;
            }
        }
    }
    return result;
}

} // namespace gridhelm::kriging
