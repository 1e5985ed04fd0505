// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/scalar_surrogate.h"

#include "core/sparse/growth.h"
#include "core/support/error.h"

#include <algorithm>
#include <string>

namespace gridhelm::data {

namespace {

/// The grid of the first groups: a downward-closed set, as every level prefix is.
std::shared_ptr<const sparse::SparseGrid>
prefixOf(const std::shared_ptr<const sparse::SparseGrid> &grid, int groups)
{
    if (groups < 0 || groups >= grid->groups())
        return grid;
    const auto blocks = grid->groupFirstBlock(std::max(groups, 1));
    return std::make_shared<sparse::SparseGrid>(
        grid->treatments(),
        grid->levelVectors().first(blocks * static_cast<std::size_t>(grid->dimension())));
}

} // namespace

ScalarSurrogate::ScalarSurrogate(const Study &study, FieldIndex field,
                                 const sparse::Backend &backend, int groups)
    : m_space(study.description().space)
{
    groups = groups < 0 ? study.grid()->groups() : std::max(groups, 1);
    m_evaluator =
        backend.load(prefixOf(study.grid(), groups), study.readScalarCoefficients(field, groups));
}

void ScalarSurrogate::evaluate(const std::vector<std::vector<double>> &axes,
                               sparse::EvaluationOutput<float> out) const
{
    const auto d = m_space.parameters().size();
    if (axes.size() != d)
        throw Error(std::to_string(axes.size()) + " axes for " + std::to_string(d)
                    + " parameters: give a list of values for each");
    sparse::CartesianPoints<float> points;
    std::vector<double> values(d);
    for (std::size_t t = 0; t < d; ++t)
        values[t] = m_space[t].low;
    for (std::size_t t = 0; t < d; ++t) {
        points.axes.emplace_back();
        for (double value : axes[t]) {
            values[t] = value;
            m_space.requireInside(values);
            points.axes.back().push_back(
                static_cast<float>(std::clamp(m_space.toUnit(values)[t], 0.0, 1.0)));
        }
        values[t] = m_space[t].low;
    }
    m_evaluator->interpolateCartesian(points, out);
}

} // namespace gridhelm::data
