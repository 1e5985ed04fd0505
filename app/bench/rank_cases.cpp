// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/rank_cases.h"

#include "app/bench/any_numbers.h"
#include "app/bench/together.h"
#include "core/sparse/ancestor_rows.h"
#include "core/sparse/growth.h"
#include "core/sparse/team/rank_evaluator.h"
#include "core/sparse/team/shares.h"
#include "core/support/memory_check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

namespace gridhelm::bench {

using nlohmann::json;
using namespace sparse;

namespace {

/// What one alone and all together have at the first rank.
json compared(std::size_t values, const Timing &one, const Timing &all,
              const std::vector<float> &ofOne, const std::vector<float> &ofAll)
{
    double difference = 0;
    for (std::size_t i = 0; i < ofOne.size(); ++i)
        difference = std::max(difference, std::abs(static_cast<double>(ofOne[i] - ofAll[i])));
    const auto amount = static_cast<double>(values);
    return {{"values", values},          {"one", rate(amount, one)},
            {"team", rate(amount, all)}, {"team_to_one", one.median / all.median},
            {"is_same", ofOne == ofAll}, {"largest_difference", difference}};
}

json benchPoints(const TeamBenchOptions &options, const std::shared_ptr<Ranks> &ranks)
{
    const auto d = static_cast<std::size_t>(options.gridCase.dimension);
    const auto grid = std::make_shared<const SparseGrid>(
        GridShape(options.gridCase.dimension, options.gridCase.level));
    const auto count = static_cast<double>(ranks->count()); // of one machine, at worst
    doneByAll(ranks.get(), [&] {
        requireMemory(count
                          * (static_cast<double>(options.points * (d + 2)) * sizeof(float)
                             + static_cast<double>(grid->points()) * (2 * sizeof(float))),
                      "the points of the benchmark", "give fewer --points");
    });
    const auto coefficients = anyNumbers(grid->points());
    const auto coordinates = anyNumbers(options.points * d);
    const PointsView<float> points{coordinates, options.gridCase.dimension};
    const auto backend = makeOmpBackend(options.context);
    std::vector<float> ofOne(options.points), ofAll(options.points);
    const auto one = together(ranks, 1, [&](const std::shared_ptr<Ranks> &) {
        const auto evaluator = backend->load(grid, coefficients);
        return measure([&] { evaluator->interpolate(points, {ofOne}); }, options.measure);
    });
    const auto everyone = static_cast<std::size_t>(ranks->count());
    const auto all = together(ranks, everyone, [&](const std::shared_ptr<Ranks> &members) {
        const auto evaluator = makeRankEvaluator<float>(backend->load(grid, coefficients), members);
        return measureOf(
            members.get(), [&] { evaluator->interpolate(points, {ofAll}); }, options.measure);
    });
    return compared(options.points, one, all, ofOne, ofAll);
}

/// A study's snapshots, as far as a rank has their nodes.
class Snapshots
{
public:
    /// Of the columns that `share` says.
    Snapshots(const SparseGrid &grid, std::size_t columns, Share share)
        : m_columns(share.size())
        , m_nodal(static_cast<std::size_t>(grid.points()) * share.size())
        , m_values(m_nodal.size())
    {
        const auto any = anyNumbers(columns + static_cast<std::size_t>(grid.points()));
        for (std::size_t row = 0; row < grid.points(); ++row) {
            for (std::size_t i = 0; i < m_columns; ++i)
                m_nodal[row * m_columns + i] = any[row + share.begin + i];
        }
        for (std::size_t row = 0; row < grid.points(); ++row) {
            auto &of = m_rows.emplace_back(RowToHierarchize{m_values.data() + row * m_columns, {}});
            const auto ancestors = ancestorWeights(grid, row);
            for (std::size_t b = 0; b < ancestors.points.size(); ++b)
                of.ancestors.push_back(
                    {m_values.data() + ancestors.points[b] * m_columns, ancestors.weights[b]});
        }
    }

    void hierarchize(const CpuDevice &cpu)
    {
        std::ranges::copy(m_nodal, m_values.begin());
        hierarchizeRows(m_rows, m_columns, cpu);
    }
    const std::vector<float> &values() const { return m_values; }
    std::size_t columns() const { return m_columns; }

private:
    std::size_t m_columns;
    std::vector<float> m_nodal, m_values; ///< row by row
    std::vector<RowToHierarchize> m_rows;
};

/// The columns of all ranks, at the first one; rows are those of `mine`.
std::vector<float> gathered(Ranks &ranks, const Snapshots &mine, const std::vector<Share> &shares)
{
    std::vector<std::size_t> begins{0};
    const auto rows = mine.columns() == 0 ? 0 : mine.values().size() / mine.columns();
    const auto rowsOfAll = static_cast<std::size_t>(largestOfAll(ranks, static_cast<double>(rows)));
    for (const auto &share : shares)
        begins.push_back(begins.back() + share.size() * rowsOfAll);
    std::vector<float> pieces(ranks.isFirst() ? begins.back() : 0);
    gatherForFirst(ranks, std::span<const float>(mine.values()), std::span(pieces), begins);
    std::vector<float> whole(pieces.size());
    const auto columns = shares.back().end;
    for (std::size_t rank = 0; rank < shares.size() && !whole.empty(); ++rank) {
        const auto &share = shares[rank];
        for (std::size_t row = 0; row < rowsOfAll; ++row) {
            const auto from =
                pieces.begin() + static_cast<std::ptrdiff_t>(begins[rank] + row * share.size());
            std::copy(from, from + static_cast<std::ptrdiff_t>(share.size()),
                      whole.begin() + static_cast<std::ptrdiff_t>(row * columns + share.begin));
        }
    }
    return whole;
}

json benchSnapshots(const TeamBenchOptions &options, const std::shared_ptr<Ranks> &ranks)
{
    const SparseGrid grid(GridShape(4, 5)); // as a study's parameters
    const auto rows = static_cast<std::size_t>(grid.points());
    const auto columns = std::max<std::size_t>(options.rows * options.columns / rows, 1);
    doneByAll(ranks.get(), [&] {
        requireMemory(6.0 * sizeof(float) * static_cast<double>(rows * columns),
                      "the snapshots of the benchmark", "give fewer --columns");
    });
    std::vector<float> ofOne;
    const auto one = together(ranks, 1, [&](const std::shared_ptr<Ranks> &) {
        Snapshots all(grid, columns, {0, columns});
        const auto timing =
            measure([&] { all.hierarchize(options.context.cpu()); }, options.measure);
        ofOne = all.values();
        return timing;
    });
    const auto everyone = static_cast<std::size_t>(ranks->count());
    const auto shares = sharedEqually(columns, everyone);
    std::vector<float> ofAll;
    const auto all = together(ranks, everyone, [&](const std::shared_ptr<Ranks> &members) {
        Snapshots mine(grid, columns, shares[static_cast<std::size_t>(members->number())]);
        const auto timing = measureOf(
            members.get(), [&] { mine.hierarchize(options.context.cpu()); }, options.measure);
        ofAll = gathered(*members, mine, shares);
        return timing;
    });
    return compared(rows * columns, one, all, ofOne, ofAll);
}

} // namespace

json benchRanks(const TeamBenchOptions &options, const std::shared_ptr<Ranks> &ranks)
{
    return {{"ranks", ranks->count()},
            {"interpolation", benchPoints(options, ranks)},
            {"vector_hierarchization", benchSnapshots(options, ranks)}};
}

} // namespace gridhelm::bench
