// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/snapshot_reader.h"
#include "data/study/image_mesh.h"
#include "data/study/study.h"

#include <vector>

namespace gridhelm::data {

/// How much each point or cell of a field counts in norms; the mean is 1.
struct EntityWeights
{
    std::vector<double> values;
    bool areVolumes = false; ///< else all are 1
};

/// Volumes of what is around the points, or of the cells: for images the products of their spacings
/// (half of one at each end of an axis, none where an axis has one point); for other meshes what
/// `volumes` says (entityWeights()), of the mesh as it is stored, also if it moves with the
/// parameters. All the same where there is no mesh or nobody knows (a program without VTK, say),
/// and where not all volumes are finite, or all are 0.
EntityWeights weightsOf(const Study &study, FieldIndex field, const VolumesOfMesh &volumes);

/// Of an image.
std::vector<double> imageVolumes(const ImageMesh &image, Association of);

} // namespace gridhelm::data
