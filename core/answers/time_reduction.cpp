// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/time_reduction.h"

#include "core/answers/grid_of_surrogate.h"
#include "core/answers/taken_dimensions.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gridhelm::answers {

namespace {

struct TimeWord
{
    std::string_view words;
    TimeReductionKind kind;
    bool hasNumber;
};
constexpr std::array<TimeWord, 6> timeWords{{{"value at", TimeReductionKind::value, true},
                                             {"mean", TimeReductionKind::mean, false},
                                             {"minimum", TimeReductionKind::minimum, false},
                                             {"maximum", TimeReductionKind::maximum, false},
                                             {"first above", TimeReductionKind::firstAbove, true},
                                             {"first below", TimeReductionKind::firstBelow, true}}};

/// Of the time-like dimension: from 0 to 1, and what they are in its unit.
struct TimeLine
{
    std::size_t dimension = 0;
    std::vector<double> unit, times;
};

/// A power of 2, so that kinks of all levels are among the ends of the intervals.
std::size_t intervalsOf(const ResponseModel &response, int t)
{
    constexpr int fewest = 6, most = 12;
    int power = fewest;
    for (const auto &part : response.parts())
        if (const auto *surrogate = gridOf(*part.surrogate))
            power = std::clamp(surrogate->grid()->highestLevel(t) + 1, power, most);
    return std::size_t{1} << static_cast<unsigned>(power);
}

TimeLine lineOf(const ResponseModel &response, const ParameterSpace &space, std::size_t t)
{
    TimeLine line{t, {}, {}};
    const auto intervals = intervalsOf(response, static_cast<int>(t));
    std::vector<double> x(space.parameters().size(), 0.5);
    for (std::size_t i = 0; i <= intervals; ++i) {
        x[t] = static_cast<double>(i) / static_cast<double>(intervals);
        line.unit.push_back(x[t]);
        line.times.push_back(space.fromUnit(x)[t]);
    }
    return line;
}

double unitTime(const ParameterSpace &space, std::size_t t, double time)
{
    const auto &parameter = space[t];
    if (!(time >= parameter.low && time <= parameter.high))
        throw Error(
            fmt::format("its time {} is outside of {}, which goes from {} to {}: choose one "
                        "inside",
                        time, parameter.name, parameter.low, parameter.high));
    std::vector<double> values;
    for (const auto &each : space.parameters())
        values.push_back(each.low);
    values[t] = time;
    return space.toUnit(values)[t];
}

/// Shares of the time that belong to each of the line's: exact for what is linear between them.
Measure trapezoids(const TimeLine &line)
{
    Measure measure{line.unit, std::vector<double>(line.unit.size(), 0.0)};
    const double all = line.times.back() - line.times.front();
    for (std::size_t i = 0; i + 1 < line.times.size(); ++i) {
        const double half = (line.times[i + 1] - line.times[i]) / 2 / all;
        measure.weights[i] += half;
        measure.weights[i + 1] += half;
    }
    return measure;
}

/// The same function of one parameter more, on which it does not depend.
GridCoefficients withConstant(GridCoefficients without, std::size_t t)
{
    const auto &grid = *without.grid;
    const auto d = static_cast<std::size_t>(grid.dimension());
    auto treatments = grid.treatments();
    auto degrees = grid.degrees();
    const auto at = static_cast<std::ptrdiff_t>(t);
    // Its level 0 is the constant 1 alone.
    treatments.insert(treatments.begin() + at, sparse::BoundaryTreatment::modified);
    degrees.insert(degrees.begin() + at, 1);
    std::vector<sparse::Level> all;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto levels = grid.levelVector(block);
        std::vector<sparse::Level> longer(levels.begin(), levels.end());
        longer.insert(longer.begin() + at, sparse::Level{0});
        all.insert(all.end(), longer.begin(), longer.end());
    }
    GridCoefficients with{std::make_shared<const sparse::SparseGrid>(treatments, all, 0, degrees),
                          without.columns,
                          {}};
    with.coefficients.assign(without.coefficients.size(), 0.0);
    std::vector<sparse::Level> levels(d);
    std::vector<std::uint32_t> positions(d);
    for (std::uint64_t point = 0; point < grid.points(); ++point) {
        grid.idx2gp(point, levels, positions);
        auto longLevels = levels;
        auto longPositions = positions;
        longLevels.insert(longLevels.begin() + at, sparse::Level{0});
        longPositions.insert(longPositions.begin() + at, 0U);
        const auto row = with.grid->gp2idx(longLevels, longPositions);
        for (std::size_t c = 0; c < with.columns; ++c)
            with.coefficients[row * with.columns + c] =
                without.coefficients[point * with.columns + c];
    }
    return with;
}

/// What is a sparse grid with another parameter stays one.
std::optional<ResponseModel> linearOnGrid(const ResponseModel &response, const TimeLine &line,
                                          const std::optional<Measure> &atTime, bool isLinearScale)
{
    const auto t = line.dimension;
    if (response.dimension() < 2 || !response.functions().empty())
        return std::nullopt;
    std::vector<ResponseModel::Part> parts;
    for (const auto &part : response.parts()) {
        const auto whole = gridCoefficients(*part.surrogate, part.rows, 1);
        if (!whole)
            return std::nullopt;
        std::vector<std::optional<Measure>> measures(
            static_cast<std::size_t>(response.dimension()));
        measures[t] = atTime          ? *atTime
                      : isLinearScale ? meanOver(*whole->grid, static_cast<int>(t), 0, 1)
                                      : trapezoids(line);
        auto reduced = withConstant(withTaken(*whole, measures), t);
        parts.push_back({std::make_shared<sparse::SparseGridSurrogate>(reduced.grid),
                         std::move(reduced.coefficients)});
    }
    return ResponseModel(std::move(parts), response.constants());
}

} // namespace

std::string timeReductionNames()
{
    return "\"value at T\", mean, minimum, maximum, \"first above V\", \"first below V\"";
}

TimeReduction parseTimeReduction(std::string_view text)
{
    text = trimmed(text);
    for (const auto &word : timeWords) {
        if (!text.starts_with(word.words))
            continue;
        const auto rest = text.substr(word.words.size());
        if (word.hasNumber && rest.starts_with(' '))
            return {word.kind, parseReal(trimmed(rest), word.words)};
        if (!word.hasNumber && rest.empty())
            return {word.kind, 0};
    }
    throw Error(fmt::format("\"{}\" is no way to get one number of all times: choose from {}", text,
                            timeReductionNames()));
}

double reduceInTime(TimeReduction reduction, std::span<const double> times,
                    std::span<const double> values)
{
    const auto n = times.size();
    const auto between = [&](std::size_t i, double share) { // of the interval that ends at i
        return std::lerp(times[i - 1], times[i], share);
    };
    switch (reduction.kind) {
    case TimeReductionKind::minimum:
        return *std::ranges::min_element(values);
    case TimeReductionKind::maximum:
        return *std::ranges::max_element(values);
    case TimeReductionKind::firstAbove:
    case TimeReductionKind::firstBelow: {
        const double sign = reduction.kind == TimeReductionKind::firstAbove ? 1 : -1;
        const auto height = [&](std::size_t i) { return sign * (values[i] - reduction.number); };
        for (std::size_t i = 0; i < n; ++i)
            if (height(i) > 0)
                return i == 0 ? times[0] : between(i, -height(i - 1) / (height(i) - height(i - 1)));
        return times[n - 1];
    }
    case TimeReductionKind::value: {
        const auto next = static_cast<std::size_t>(std::ranges::upper_bound(times, reduction.number)
                                                   - times.begin());
        if (next == 0 || next == n)
            return values[next == 0 ? 0 : n - 1];
        const double share = (reduction.number - times[next - 1]) / (times[next] - times[next - 1]);
        return std::lerp(values[next - 1], values[next], share);
    }
    case TimeReductionKind::mean:
        break;
    }
    if (n == 1)
        return values[0];
    double integral = 0;
    for (std::size_t i = 1; i < n; ++i)
        integral += (values[i] + values[i - 1]) / 2 * (times[i] - times[i - 1]);
    return integral / (times[n - 1] - times[0]);
}

void requireTimeIn(const ParameterSpace &space, TimeReduction reduction)
{
    const auto t = space.timeLike();
    if (!t)
        throw Error("no parameter of the study is time, of which a run has all values: leave the "
                    "words \"in time\" out");
    if (reduction.kind == TimeReductionKind::value)
        unitTime(space, *t, reduction.number);
}

ResponseModel reducedInTime(const ResponseModel &response, const ParameterSpace &space,
                            TimeReduction reduction)
{
    requireTimeIn(space, reduction);
    const auto t = space.timeLike();
    const auto line = lineOf(response, space, *t);
    std::optional<Measure> atTime;
    if (reduction.kind == TimeReductionKind::value)
        atTime = Measure{{unitTime(space, *t, reduction.number)}, {1}};
    if (reduction.isLinear())
        if (auto exact =
                linearOnGrid(response, line, atTime, space[*t].scale == ParameterScale::linear))
            return *exact;
    const auto evaluate = [response, line, reduction, atTime](std::span<const double> x) {
        std::vector<double> place(x.begin(), x.end());
        if (atTime) {
            place[line.dimension] = atTime->nodes.front();
            return response.value(place);
        }
        std::vector<double> values;
        for (const double time : line.unit) {
            place[line.dimension] = time;
            values.push_back(response.value(place));
        }
        return reduceInTime(reduction, line.times, values);
    };
    return {response.dimension(),
            std::vector<ResponseModel::Part>(),
            {0.0},
            std::vector<ResponseModel::Function>{{0, evaluate}}};
}

} // namespace gridhelm::answers
