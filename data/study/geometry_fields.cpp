// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/geometry_fields.h"

namespace gridhelm::data {

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
