// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/hold_out_places.h"

#include "core/parameters/round_values.h"
#include "core/sparse/error_estimates.h"
#include "core/sparse/nearest_point.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>

namespace gridhelm::data {

namespace {

/// Values that a person can read and type, finer than the grid's. Places in space stay: nobody
/// types them.
class RoundPlaces
{
public:
    RoundPlaces(const ParameterSpace &space, const sparse::SparseGrid &grid)
        : m_space(space)
    {
        constexpr double least = 1000, ofEachStep = 8;
        for (int t = 0; t < space.dimension(); ++t) {
            const auto &parameter = space[static_cast<std::size_t>(t)];
            const double steps = sparse::stepsOf(grid, t);
            m_round.emplace_back();
            if (parameter.kind != ParameterKind::spatial)
                m_round.back().emplace(parameter, std::max(least, ofEachStep * steps));
        }
    }

    void moveThere(std::span<double> x) const
    {
        std::ranges::copy(m_space.toUnit(nearest(m_space.fromUnit(x))), x.begin());
    }

    /// Of a place that may be a round one: without what the way to the unit cube and back adds.
    std::vector<double> valuesAt(std::span<const double> x) const
    {
        constexpr double roundOff = 1e-12;
        auto values = m_space.fromUnit(x);
        const auto round = nearest(values);
        const auto roundX = m_space.toUnit(round);
        for (std::size_t t = 0; t < values.size(); ++t) {
            if (std::abs(roundX[t] - x[t]) <= roundOff)
                values[t] = round[t];
        }
        return values;
    }

private:
    std::vector<double> nearest(std::vector<double> values) const
    {
        for (std::size_t t = 0; t < values.size(); ++t) {
            if (m_round[t])
                values[t] = m_round[t]->nearest(values[t]);
        }
        return values;
    }

    ParameterSpace m_space;
    std::vector<std::optional<RoundValues>> m_round;
};

/// Values of hold-outs in some of the space's dimensions, one list for each.
std::vector<std::vector<double>> holdOutsIn(const ParameterSpace &space, int level,
                                            const std::vector<std::size_t> &dimensions,
                                            std::size_t count, std::uint64_t seed)
{
    std::vector<Parameter> parameters;
    for (auto t : dimensions)
        parameters.push_back(space[t]);
    const ParameterSpace part(std::move(parameters));
    const sparse::SparseGrid grid(part.shape(level));
    const RoundPlaces round(part, grid);
    const auto x = sparse::holdOutPoints(grid, count, seed,
                                         [&](std::span<double> point) { round.moveThere(point); });
    std::vector<std::vector<double>> places;
    for (std::size_t i = 0; i + dimensions.size() <= x.size(); i += dimensions.size())
        places.push_back(round.valuesAt(std::span(x).subspan(i, dimensions.size())));
    return places;
}

} // namespace

std::vector<std::vector<double>> holdOutParameters(const Study &study, std::size_t count,
                                                   std::uint64_t seed)
{
    return holdOutParameters(study.description().space, study.description().level, count, seed);
}

std::vector<std::vector<double>> holdOutParameters(const ParameterSpace &space, int level,
                                                   std::size_t count, std::uint64_t seed)
{
    constexpr std::size_t placesOfRun = 256;
    const auto inSpace = space.spatial();
    std::vector<std::size_t> others;
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        if (space[t].kind != ParameterKind::spatial)
            others.push_back(t);
    }
    const auto runs = holdOutsIn(space, level, others, count, seed);
    std::vector<std::vector<double>> places{{}};
    if (!inSpace.empty())
        places = holdOutsIn(space, level, inSpace, placesOfRun, seed);
    std::vector<std::vector<double>> parameters;
    std::vector<double> values(space.parameters().size());
    for (const auto &run : runs) {
        for (std::size_t i = 0; i < others.size(); ++i)
            values[others[i]] = run[i];
        for (const auto &place : places) {
            for (std::size_t i = 0; i < inSpace.size(); ++i)
                values[inSpace[i]] = place[i];
            parameters.push_back(values);
        }
    }
    return parameters;
}

namespace {

constexpr double samePlace = 1e-9; ///< in the unit cube

} // namespace

std::vector<std::vector<HoldOut>> runsOf(std::vector<HoldOut> holdOuts, const Study &study)
{
    const auto &space = study.description().space;
    const auto grid = study.grid();
    const bool isGrid = study.description().design == StudyDesign::grid;
    const auto inSpace = space.spatial();
    std::vector<std::vector<HoldOut>> runs;
    std::map<std::vector<double>, std::size_t> runOf;
    // Not by when their runs ended, which is another order every time: sums of figures would be,
    // too.
    std::ranges::stable_sort(holdOuts, {}, &HoldOut::parameters);
    for (auto &holdOut : holdOuts) {
        if (isGrid && sparse::pointNear(*grid, space.toUnit(holdOut.parameters), samePlace))
            continue;
        auto key = holdOut.parameters;
        for (auto t : inSpace)
            key[t] = 0;
        const auto [run, isNew] = runOf.try_emplace(std::move(key), runs.size());
        if (isNew || inSpace.empty())
            runs.emplace_back();
        runs[inSpace.empty() ? runs.size() - 1 : run->second].push_back(std::move(holdOut));
    }
    return runs;
}

std::vector<double> runOf(const ParameterSpace &space, std::vector<double> parameters)
{
    for (std::size_t t = 0; t < parameters.size(); ++t) {
        if (space[t].kind != ParameterKind::ordinary)
            parameters[t] = space[t].low;
    }
    return parameters;
}

std::vector<double> placeOfRun(const ParameterSpace &space, const std::vector<double> &parameters)
{
    auto x = space.toUnit(parameters);
    for (auto t : space.spatial())
        x[t] = 0.5;
    return x;
}

bool isAtEdge(const std::vector<double> &place)
{
    return std::ranges::any_of(place,
                               [](double x) { return x <= samePlace || x >= 1 - samePlace; });
}

namespace {

std::vector<std::vector<double>> placesOfRuns(const std::vector<std::vector<HoldOut>> &runs,
                                              const ParameterSpace &space)
{
    std::vector<std::vector<double>> places;
    for (const auto &run : runs)
        places.push_back(placeOfRun(space, run.front().parameters));
    return places;
}

bool contains(const std::vector<std::vector<double>> &places, const std::vector<double> &place)
{
    return std::ranges::any_of(places, [&](const auto &other) {
        return std::ranges::equal(other, place,
                                  [](double a, double b) { return std::abs(a - b) <= samePlace; });
    });
}

} // namespace

std::size_t sensibleHoldOuts(std::size_t runs)
{
    constexpr std::size_t manyRuns = 100, few = 12, enough = 23;
    return runs < manyRuns ? few : enough;
}

std::vector<std::vector<double>> holdOutsToMake(const Study &study, std::size_t count,
                                                std::uint64_t seed)
{
    const auto &space = study.description().space;
    const auto there = placesOfRuns(runsOf(study.holdOuts(), study), space);
    auto left = count - std::min(count, there.size());
    std::vector<std::vector<double>> toMake;
    std::vector<double> last; // the run that is to be made
    for (auto &parameters : holdOutParameters(study, count, seed)) {
        const auto place = placeOfRun(space, parameters);
        const bool isOfLast = place == last;
        if (!isOfLast && (left == 0 || contains(there, place)))
            continue;
        left -= isOfLast ? 0 : 1;
        last = place;
        toMake.push_back(std::move(parameters));
    }
    return toMake;
}

HoldOutCoverage holdOutCoverage(const Study &study)
{
    const auto &space = study.description().space;
    const auto there = placesOfRuns(runsOf(study.holdOuts(), study), space);
    HoldOutCoverage coverage{there.size(), 0, 0};
    for (const auto &place : there)
        coverage.inside += !isAtEdge(place);
    for (const auto &place : placesOfRuns(runsOf(study.missingHoldOuts(), study), space))
        coverage.missing += !contains(there, place); // or imported since
    return coverage;
}

} // namespace gridhelm::data
