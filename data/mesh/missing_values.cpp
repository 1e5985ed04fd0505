// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/missing_values.h"

#include "data/mesh/mesh_codec.h"
#include "data/study/geometry_fields.h"

#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkStaticPointLocator.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace gridhelm::data {

namespace {

/// Of each entity, whether a value is missing.
std::vector<bool> missingIn(const Field &field, const std::vector<float> &values)
{
    std::vector<bool> missing(field.entities);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            missing[i / static_cast<std::size_t>(field.components)] = true;
    return missing;
}

/// The points that all fields at points lack; nothing if it is not so.
std::optional<std::vector<bool>> missingPoints(const RunSnapshot &snapshot)
{
    std::optional<std::vector<bool>> shared;
    for (std::size_t f = 0; f < snapshot.fields.size(); ++f) {
        const auto missing = missingIn(snapshot.fields[f], snapshot.values[f]);
        if (snapshot.fields[f].association == Association::cell) {
            if (std::ranges::find(missing, true) != missing.end())
                return std::nullopt;
        } else if (shared && *shared != missing) {
            return std::nullopt;
        } else {
            shared = missing;
        }
    }
    return shared;
}

/// Some of a mesh's points, to look for the nearest one among them.
class SomePoints
{
public:
    void add(vtkIdType id, const std::array<double, 3> &place)
    {
        m_points->InsertNextPoint(place.data());
        m_ids.push_back(id);
    }
    void build()
    {
        m_data->SetPoints(m_points);
        m_locator->SetDataSet(m_data);
        m_locator->BuildLocator();
    }
    /// Its number in the mesh, and how far it is.
    std::pair<std::size_t, double> nearest(const std::array<double, 3> &place)
    {
        const auto found = m_locator->FindClosestPoint(place.data());
        std::array<double, 3> there{};
        m_points->GetPoint(found, there.data());
        const double away =
            std::hypot(there[0] - place[0], there[1] - place[1], there[2] - place[2]);
        return {static_cast<std::size_t>(m_ids[static_cast<std::size_t>(found)]), away};
    }

private:
    vtkNew<vtkPoints> m_points;
    vtkNew<vtkPolyData> m_data;
    vtkNew<vtkStaticPointLocator> m_locator;
    std::vector<vtkIdType> m_ids;
};

void addDistance(RunSnapshot &snapshot, std::vector<float> distance)
{
    snapshot.fields.push_back(
        {std::string(distanceField), {}, 1, Association::point, snapshot.mesh.points});
    snapshot.values.push_back(std::move(distance));
    snapshot.packed.clear();
}

} // namespace

std::size_t leaveOutMissing(RunSnapshot &snapshot)
{
    const auto missing = missingPoints(snapshot);
    if (!missing || !geometryFieldsOf(snapshot.fields).isFixed())
        return 0;
    const auto count = static_cast<std::size_t>(std::ranges::count(*missing, true));
    if (count == 0 || count == missing->size())
        return 0;
    const auto mesh = decodeMesh(snapshot.mesh);
    const auto placeOf = [&](std::size_t i) {
        std::array<double, 3> place{};
        mesh->GetPoint(static_cast<vtkIdType>(i), place.data());
        return place;
    };
    SomePoints inside, outside;
    for (std::size_t i = 0; i < missing->size(); ++i)
        ((*missing)[i] ? outside : inside).add(static_cast<vtkIdType>(i), placeOf(i));
    inside.build();
    outside.build();
    std::vector<float> distance(missing->size());
    for (std::size_t i = 0; i < missing->size(); ++i) {
        const auto [other, away] = ((*missing)[i] ? inside : outside).nearest(placeOf(i));
        distance[i] = static_cast<float>((*missing)[i] ? -away : away);
        for (std::size_t f = 0; (*missing)[i] && f < snapshot.fields.size(); ++f) {
            if (snapshot.fields[f].association == Association::cell)
                continue;
            const auto components = static_cast<std::size_t>(snapshot.fields[f].components);
            auto &values = snapshot.values[f];
            for (std::size_t c = 0; c < components; ++c)
                values[i * components + c] = values[other * components + c];
        }
    }
    addDistance(snapshot, std::move(distance));
    return count;
}

void addWholeBody(RunSnapshot &snapshot)
{
    const auto length = static_cast<float>(decodeMesh(snapshot.mesh)->GetLength());
    addDistance(snapshot, std::vector<float>(snapshot.mesh.points, length));
}

} // namespace gridhelm::data
