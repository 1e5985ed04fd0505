// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/point_set.h"

#include "core/support/error.h"

#include <string>

namespace gridhelm::sparse {

template <typename T>
void requireInsideUnitCube(PointsView<T> points)
{
    for (std::size_t i = 0; i < points.coordinates.size(); ++i) {
        const T x = points.coordinates[i];
        if (x >= T(0) && x <= T(1)) // false for NaN
            continue;
        const auto d = static_cast<std::size_t>(points.dimension);
        throw Error("coordinate " + std::to_string(i % d + 1) + " of point "
                    + std::to_string(i / d + 1) + " is " + std::to_string(x)
                    + ", outside [0, 1]: scale the points to the unit cube");
    }
}

template void requireInsideUnitCube<float>(PointsView<float>);
template void requireInsideUnitCube<double>(PointsView<double>);

} // namespace gridhelm::sparse
