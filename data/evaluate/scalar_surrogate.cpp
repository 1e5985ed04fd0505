// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/scalar_surrogate.h"

#include "core/sparse/growth.h"
#include "data/evaluate/unit_axes.h"

#include <algorithm>

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

ComputedOn ScalarSurrogate::evaluate(const std::vector<std::vector<double>> &axes,
                                     sparse::EvaluationOutput<float> out) const
{
    return m_evaluator->interpolateCartesian(unitAxes<float>(m_space, axes), out);
}

} // namespace gridhelm::data
