// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/taken_dimensions.h"

#include "core/sparse/sparse_grid_surrogate.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>

namespace gridhelm::answers {

namespace {

using sparse::Level;

/// What the measure makes of each function of a dimension.
class TakenFunctions
{
public:
    TakenFunctions(const sparse::SparseGrid &grid, int t, const Measure &measure)
    {
        std::vector<Level> levels;
        for (int level = sparse::lowestLevel(grid.treatment(t)); level <= grid.highestLevel(t);
             ++level)
            levels.push_back(static_cast<Level>(level));
        const auto line = std::make_shared<const sparse::SparseGrid>(
            std::vector{grid.treatment(t)}, levels, 0, std::vector{grid.degree(t)});
        const sparse::SparseGridSurrogate functions(line);
        m_line = line;
        m_means.assign(line->points(), 0.0);
        for (std::size_t i = 0; i < measure.nodes.size(); ++i) {
            const auto weights = functions.weights(std::span(&measure.nodes[i], 1), line->groups());
            for (std::size_t k = 0; k < weights.rows.size(); ++k)
                m_means[weights.rows[k]] += measure.weights[i] * weights.weights[k];
        }
    }

    double meanOf(Level level, std::uint32_t position) const
    {
        return m_means[m_line->gp2idx({&level, 1}, std::span(&position, 1))];
    }

private:
    std::shared_ptr<const sparse::SparseGrid> m_line;
    std::vector<double> m_means;
};

/// The level vectors without the dimensions that are taken, each once.
std::shared_ptr<const sparse::SparseGrid> gridOfKept(const sparse::SparseGrid &whole,
                                                     const std::vector<int> &kept)
{
    std::set<std::vector<Level>> vectors;
    for (std::size_t block = 0; block < whole.blocks(); ++block) {
        const auto levels = whole.levelVector(block);
        std::vector<Level> left;
        for (const int t : kept)
            left.push_back(levels[static_cast<std::size_t>(t)]);
        vectors.insert(std::move(left));
    }
    std::vector<Level> all;
    for (const auto &levels : vectors)
        all.insert(all.end(), levels.begin(), levels.end());
    std::vector<sparse::BoundaryTreatment> treatments;
    std::vector<int> degrees;
    for (const int t : kept) {
        treatments.push_back(whole.treatment(t));
        degrees.push_back(whole.degree(t));
    }
    return std::make_shared<const sparse::SparseGrid>(treatments, all, 0, degrees);
}

} // namespace

GridCoefficients withTaken(const GridCoefficients &whole,
                           const std::vector<std::optional<Measure>> &measures)
{
    const auto &grid = *whole.grid;
    const auto d = static_cast<std::size_t>(grid.dimension());
    if (measures.size() != d)
        throw Error("there has to be a measure or none for each dimension of the grid");
    std::vector<int> kept;
    std::vector<std::optional<TakenFunctions>> taken(d);
    for (std::size_t t = 0; t < d; ++t)
        if (measures[t])
            taken[t].emplace(grid, static_cast<int>(t), *measures[t]);
        else
            kept.push_back(static_cast<int>(t));
    if (kept.empty())
        throw Error("no dimension of the grid is left: leave one that responses may depend on");
    GridCoefficients left{gridOfKept(grid, kept), whole.columns, {}};
    left.coefficients.assign(left.grid->points() * whole.columns, 0.0);
    std::vector<Level> levels(d), leftLevels(kept.size());
    std::vector<std::uint32_t> positions(d), leftPositions(kept.size());
    for (std::uint64_t point = 0; point < grid.points(); ++point) {
        grid.idx2gp(point, levels, positions);
        double share = 1;
        std::size_t k = 0;
        for (std::size_t t = 0; t < d; ++t) {
            if (taken[t]) {
                share *= taken[t]->meanOf(levels[t], positions[t]);
                continue;
            }
            leftLevels[k] = levels[t];
            leftPositions[k++] = positions[t];
        }
        const auto row = left.grid->gp2idx(leftLevels, leftPositions);
        for (std::size_t c = 0; c < whole.columns; ++c)
            left.coefficients[row * whole.columns + c] +=
                share * whole.coefficients[point * whole.columns + c];
    }
    return left;
}

Measure meanOver(const sparse::SparseGrid &grid, int t, double low, double high)
{
    if (!(low < high))
        return {{low}, {1}};
    const bool isPolynomial = grid.treatment(t) == sparse::BoundaryTreatment::leja;
    const int highest = std::max(grid.highestLevel(t), 0);
    // Functions have their kinks at multiples of 1 / cells, and degree 7 at most between them.
    const double cells = isPolynomial ? 1 : std::ldexp(2.0, highest);
    const auto rule = gaussLegendre(
        isPolynomial ? std::min<std::size_t>(64, static_cast<std::size_t>(highest) / 2 + 1) : 4);
    Measure measure;
    for (double begin = low, end = low; begin < high; begin = end) {
        end = std::min(high, (std::floor(begin * cells) + 1) / cells);
        for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
            measure.nodes.push_back(begin + (end - begin) * rule.nodes[i]);
            measure.weights.push_back(rule.weights[i] * (end - begin) / (high - low));
        }
    }
    return measure;
}

} // namespace gridhelm::answers
