// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace gridhelm::simulations {

/// A regular grid of points, x fastest (VTK's image data); 2D meshes have one point in z.
struct ImageMesh
{
    std::array<std::size_t, 3> points{1, 1, 1};
    std::array<double, 3> origin{0, 0, 0}; ///< position of the first point
    std::array<double, 3> spacing{1, 1, 1};

    std::size_t count() const { return points[0] * points[1] * points[2]; }
    bool operator==(const ImageMesh &) const = default;
};

} // namespace gridhelm::simulations
