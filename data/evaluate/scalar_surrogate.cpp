// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/scalar_surrogate.h"

#include "core/sparse/growth.h"
#include "data/evaluate/study_surrogate.h"
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
        grid->levelVectors().first(blocks * static_cast<std::size_t>(grid->dimension())),
        grid->dense(), grid->degrees());
}

} // namespace

ScalarSurrogate::ScalarSurrogate(const Study &study, FieldIndex field,
                                 const sparse::Backend &backend, int groups)
    : m_space(study.description().space)
{
    groups = groups < 0 ? study.grid()->groups() : std::max(groups, 1);
    m_evaluator =
        backend.load(prefixOf(study.grid(), groups), study.readScalarCoefficients(field, groups));
    const int complete = completeGroups(study, field);
    if (complete > 0 && complete < groups)
        m_complete = backend.load(prefixOf(study.grid(), complete),
                                  study.readScalarCoefficients(field, complete));
}

ComputedOn ScalarSurrogate::evaluate(const std::vector<std::vector<double>> &axes,
                                     sparse::EvaluationOutput<float> out) const
{
    const auto unit = unitAxes<float>(m_space, axes);
    if (!m_complete || out.indicator.empty())
        return m_evaluator->interpolateCartesian(unit, out);
    std::vector<float> unused(out.values.size());
    auto where = m_complete->interpolateCartesian(unit, {unused, out.indicator});
    where |= m_evaluator->interpolateCartesian(unit, {out.values, {}});
    return where;
}

} // namespace gridhelm::data
