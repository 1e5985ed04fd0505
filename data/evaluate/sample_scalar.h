// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "data/evaluate/scalar_surrogate.h"
#include "data/study/image_mesh.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridhelm::data {

/// A picture of one field of a scalar study.
struct ScalarImage
{
    ImageMesh mesh;            ///< the study's box in space
    std::vector<float> values; ///< at the mesh's points, x fastest
    std::vector<float> indicator;
    ComputedOn computedOn{};
};

/// The box of the study's spatial parameters with `resolution` points along its longest side, and
/// the same distance (nearly) along the others; 0: as fine as the simulation's own mesh, or as the
/// grid's finest level where there is none. Throws gridhelm::Error for vector studies, and a
/// resolution of 1.
ImageMesh scalarImageMesh(const Study &study, std::size_t resolution);

/// The field at the points of a mesh inside the box, at these parameters (values of all of the
/// study's parameters; those of the spatial ones do not count). Throws gridhelm::Error for
/// parameters out of range, and pictures that do not fit into memory.
ScalarImage sampleScalar(const ScalarSurrogate &surrogate, std::span<const double> at,
                         const ImageMesh &mesh);

/// Both, of a study that is evaluated once.
ScalarImage sampleScalarStudy(const Study &study, FieldIndex field, std::span<const double> at,
                              std::size_t resolution, const sparse::Backend &backend);

} // namespace gridhelm::data
