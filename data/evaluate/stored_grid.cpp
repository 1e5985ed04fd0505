// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/stored_grid.h"

#include <algorithm>
#include <utility>

namespace gridhelm::data {

StoredGrid::StoredGrid(const Study &study, FieldIndex field, std::vector<bool> points)
    : m_study(study)
    , m_field(field)
    , m_points(std::move(points))
    , m_surrogate(study.grid())
    , m_row(study.fields()[field].values())
{
}

void StoredGrid::evaluate(std::span<const double> place, std::span<float> values)
{
    const auto weights = m_surrogate.weights(place, m_surrogate.groups());
    std::ranges::fill(values, 0.0F);
    for (std::size_t i = 0; i < weights.rows.size(); ++i) {
        if (!m_points.empty() && !m_points[weights.rows[i]])
            continue;
        if (!m_study.readCoefficients(weights.rows[i], m_field, m_row))
            continue;
        for (std::size_t k = 0; k < m_row.size(); ++k)
            values[k] += static_cast<float>(weights.weights[i]) * m_row[k];
    }
}

} // namespace gridhelm::data
