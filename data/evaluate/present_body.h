// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private to data.
#pragma once

#include "data/evaluate/field_anywhere.h"
#include "data/study/geometry_fields.h"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::data {

/// Where a study on a background grid has its body: errors count where it is in both states, in
/// truth and as the surrogate has it.
class PresentBody
{
public:
    /// `backend`: see FieldAnywhere.
    PresentBody(const Study &study, const ExecutionContext &context,
                const std::shared_ptr<const sparse::Backend> &backend = nullptr)
        : m_study(study)
        , m_geometry(geometryFieldsOf(study.fields()))
    {
        if (m_geometry.distance)
            m_surrogate =
                std::make_unique<FieldAnywhere>(study, *m_geometry.distance, context, backend);
    }

    /// See GeometryFields::leaveOutside().
    bool matters(FieldIndex field) const
    {
        return m_geometry.leaveOutside(field, m_study.fields()[field]);
    }

    /// Adds nothing for nodes without a body to any norm: values there become 0. `exact` fills in
    /// the true distances; false if they are not known.
    template <typename Exact>
    void keep(const std::vector<double> &parameters, const Exact &exact,
              std::initializer_list<std::span<float>> fields, bool isOnGrid = false) const
    {
        const auto nodes = m_surrogate->values();
        std::vector<float> surrogate(nodes), truth(nodes);
        const bool isKnown = exact(*m_geometry.distance, truth);
        if (isKnown && isOnGrid)
            surrogate = truth; // it goes through the points of the grid
        else
            m_surrogate->evaluate(parameters, {surrogate, {}});
        if (!isKnown)
            truth = surrogate;
        std::ranges::transform(truth, surrogate, truth.begin(),
                               [](float a, float b) { return std::min(a, b); });
        for (const auto values : fields)
            fillOutside(truth, values, 0);
    }

    /// The same at a hold-out.
    void keepAt(const HoldOut &holdOut, std::initializer_list<std::span<float>> fields) const
    {
        keep(
            holdOut.parameters,
            [&](FieldIndex distance, std::span<float> into) {
                return m_study.readHoldOut(holdOut.id, distance, into);
            },
            fields);
    }

private:
    const Study &m_study;
    GeometryFields m_geometry;
    std::unique_ptr<FieldAnywhere> m_surrogate;
};

} // namespace gridhelm::data
