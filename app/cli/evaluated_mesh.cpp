// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/evaluated_mesh.h"

#include "core/support/error.h"
#include "data/mesh/mesh_codec.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::cli {

EvaluatedMesh::EvaluatedMesh(const StudyEvaluation &study, IndicatorFields indicators)
    : m_study(study)
    , m_indicators(indicators)
    , m_data(data::decodeMesh(*study.mesh()))
{
    if (indicators == IndicatorFields::left)
        return;
    for (const auto &field : study.fields()) {
        const auto name = data::indicatorOf(field).name;
        if (std::ranges::find(study.fields(), name, &data::Field::name) != study.fields().end())
            throw Error(fmt::format("the study has a field {} itself: leave --indicator out, or "
                                    "choose one --field",
                                    name));
    }
}

void EvaluatedMesh::set(const EvaluatedFields &result, std::span<const double> values)
{
    for (std::size_t f = 0; f < result.fields.size(); ++f) {
        data::setField(*m_data, result.fields[f], result.values[f]);
        if (m_indicators == IndicatorFields::written)
            data::setField(*m_data, data::indicatorOf(result.fields[f]), result.indicators[f]);
        for (const auto &[name, value] : data::bandNumbers(result.fields[f], result.bands[f]))
            data::setNumber(*m_data, name, value);
    }
    if (const auto &displacement = result.geometry.displacement; !displacement.empty()) {
        if (!m_nodes)
            m_nodes = std::make_unique<data::MovingNodes>(*m_data);
        m_nodes->move(displacement);
    }
    if (!result.geometry.distance.empty())
        data::hideNodes(*m_data, result.geometry.distance);
    for (std::size_t t = 0; t < values.size(); ++t)
        data::setNumber(*m_data, m_study.parameters()[t].name, values[t]);
}

} // namespace gridhelm::cli
