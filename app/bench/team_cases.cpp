// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/team_cases.h"

#include "app/bench/any_numbers.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>

namespace gridhelm::bench {

using nlohmann::json;
using namespace sparse;

namespace {

/// The first device, all, and where it is a helper the last one.
struct Compared
{
    const Backend &one, &team;
    const Backend *helper;
};

/// evaluate(evaluator, results) by each of them, in turns. `load` makes their evaluators.
template <typename Load, typename Evaluate>
json compare(const Compared &compared, std::size_t values, std::size_t results,
             const MeasureOptions &options, Load load, Evaluate evaluate)
{
    const auto one = load(compared.one), team = load(compared.team);
    const auto helper = compared.helper ? load(*compared.helper) : nullptr;
    std::vector<float> ofOne(results), ofTeam(results), ofHelper(helper ? results : 0);
    constexpr int callsToLearn = 8; // how the work is divided
    for (int i = 0; helper && i < callsToLearn; ++i)
        evaluate(*team, std::span(ofTeam));
    std::vector<std::function<void()>> works{[&] { evaluate(*one, std::span(ofOne)); },
                                             [&] { evaluate(*team, std::span(ofTeam)); }};
    if (helper)
        works.emplace_back([&] { evaluate(*helper, std::span(ofHelper)); });
    const auto timings = measureInTurns(works, options);
    double difference = 0;
    for (std::size_t i = 0; i < results; ++i)
        difference = std::max(difference, std::abs(static_cast<double>(ofOne[i] - ofTeam[i])));
    const auto amount = static_cast<double>(values);
    json row = {{"values", values},
                {"one", rate(amount, timings[0])},
                {"team", rate(amount, timings[1])},
                {"team_to_one", timings[0].median / timings[1].median},
                {"is_same", ofOne == ofTeam},
                {"largest_difference", difference}};
    if (helper) {
        row["helper"] = rate(amount, timings[2]);
        row["team_to_sum"] =
            1 / timings[1].median / (1 / timings[0].median + 1 / timings[2].median);
    }
    return row;
}

json benchPoints(const TeamBenchOptions &options, const Compared &compared)
{
    const auto d = static_cast<std::size_t>(options.gridCase.dimension);
    const auto grid = std::make_shared<const SparseGrid>(
        GridShape(options.gridCase.dimension, options.gridCase.level));
    const auto cube = options.side * options.side * (d > 2 ? options.side : 1);
    requireMemory(static_cast<double>(options.points * (d + 2) + 2 * cube) * sizeof(float)
                      + static_cast<double>(grid->points() * options.members.size())
                            * (2 * sizeof(float)),
                  "the points of the benchmark", "give fewer --points");
    const auto coefficients = anyNumbers(grid->points());
    const auto load = [&](const Backend &backend) { return backend.load(grid, coefficients); };
    const auto coordinates = anyNumbers(options.points * d);
    const PointsView<float> points{coordinates, options.gridCase.dimension};
    using Each = Evaluator<float>;
    json result;
    result["interpolation"] =
        compare(compared, options.points, options.points, options.measure, load,
                [&](const Each &each, std::span<float> out) { each.interpolate(points, {out}); });
    CartesianPoints<float> product;
    for (std::size_t t = 0; t < d; ++t)
        product.axes.push_back(t + 3 < d ? std::vector<float>{0.3F} : anyNumbers(options.side));
    result["cartesian"] = compare(
        compared, product.count(), product.count(), options.measure, load,
        [&](const Each &each, std::span<float> out) { each.interpolateCartesian(product, {out}); });
    return result;
}

/// A back end, with values at a grid's points.
struct Hierarchizing
{
    const Backend &backend;
    const SparseGrid &grid;
    const std::vector<float> &nodal;
};

json benchHierarchization(const TeamBenchOptions &options, const Compared &compared)
{
    const SparseGrid grid(GridShape(options.gridCase.dimension, options.gridCase.level));
    requireMemory(static_cast<double>(grid.points()) * 4 * sizeof(float),
                  "the values of the benchmark", "choose a smaller --case");
    const auto nodal = anyNumbers(grid.points());
    return compare(
        compared, grid.points(), grid.points(), options.measure,
        [&](const Backend &backend) {
            return std::make_unique<Hierarchizing>(backend, grid, nodal);
        },
        [](const Hierarchizing &each, std::span<float> out) {
            std::ranges::copy(each.nodal, out.begin());
            each.backend.hierarchize(each.grid, out);
        });
}

json benchRows(const TeamBenchOptions &options, const Compared &compared)
{
    constexpr std::size_t line = 64 / sizeof(float);
    const auto stride = (options.columns + line - 1) / line * line;
    requireMemory(static_cast<double>(options.rows * stride) * sizeof(float),
                  "the matrix of the benchmark", "give fewer --columns");
    const auto values = anyNumbers(options.rows * stride);
    const MatrixView<const float> matrix{values.data(), options.rows, options.columns, stride};
    SparseWeights weights;
    for (std::size_t r = 0; r < options.rows; ++r) {
        weights.rows.push_back(r);
        weights.weights.push_back(std::cos(static_cast<double>(r)));
    }
    weights.lastGroupBegin = options.rows / 2;
    return compare(
        compared, options.rows * options.columns, options.columns, options.measure,
        [&](const Backend &backend) { return backend.loadVectors(matrix); },
        [&](const VectorEvaluator &each, std::span<float> out) {
            each.combine(weights, 0, out, {});
        });
}

} // namespace

json benchTeam(const TeamBenchOptions &options)
{
    const auto team = makeTeamBackend(options.members, options.context);
    const auto &last = options.members.back();
    const Compared compared{*options.members.front().backend, *team,
                            last.isHelper ? last.backend.get() : nullptr};
    auto result = benchPoints(options, compared);
    result["combination"] = benchRows(options, compared);
    if (!last.isHelper) // with helpers it is the others' alone
        result["hierarchization"] = benchHierarchization(options, compared);
    return result;
}

} // namespace gridhelm::bench
