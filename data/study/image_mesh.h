// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulations/image_mesh.h"
#include "data/study/study_types.h"

namespace gridhelm::data {

using simulations::ImageMesh;

/// As a study keeps it: kind "image", encoded as JSON. Needs no VTK, so that campaigns of built-in
/// simulations do not either.
Mesh encodeImageMesh(const ImageMesh &image);

/// Throws gridhelm::Error for a mesh of another kind, or one that is damaged.
ImageMesh decodeImageMesh(const Mesh &mesh);

} // namespace gridhelm::data
