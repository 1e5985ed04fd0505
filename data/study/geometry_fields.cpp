// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/geometry_fields.h"

#include <algorithm>

namespace gridhelm::data {

std::vector<FieldIndex> GeometryFields::all() const
{
    std::vector<FieldIndex> there;
    for (const auto &field : {displacement, distance})
        if (field)
            there.push_back(*field);
    return there;
}

void fillOutside(std::span<const float> distance, std::span<float> values, float with)
{
    if (distance.empty())
        return;
    const auto components = values.size() / distance.size();
    for (std::size_t i = 0; i < distance.size(); ++i)
        if (distance[i] < 0)
            std::ranges::fill(values.subspan(i * components, components), with);
}

GeometryFields geometryFieldsOf(const std::vector<Field> &fields)
{
    GeometryFields found;
    for (FieldIndex f = 0; f < fields.size(); ++f) {
        if (fields[f].association != Association::point)
            continue;
        if (fields[f].name == displacementField && fields[f].components == 3)
            found.displacement = f;
        if (fields[f].name == distanceField && fields[f].components == 1)
            found.distance = f;
    }
    return found;
}

} // namespace gridhelm::data
