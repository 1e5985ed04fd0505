// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <array>
#include <cstddef>

namespace gridhelm::data {

/// A regular grid of points, x fastest (VTK's image data); 2D meshes have one point in z.
struct ImageMesh
{
    std::array<std::size_t, 3> points{1, 1, 1};
    std::array<double, 3> origin{0, 0, 0}; ///< position of the first point
    std::array<double, 3> spacing{1, 1, 1};

    bool operator==(const ImageMesh &) const = default;
};

/// As a study keeps it: kind "image", encoded as JSON. Needs no VTK, so that campaigns of built-in
/// simulations do not either.
Mesh encodeImageMesh(const ImageMesh &image);

/// Throws gridhelm::Error for a mesh of another kind, or one that is damaged.
ImageMesh decodeImageMesh(const Mesh &mesh);

} // namespace gridhelm::data
