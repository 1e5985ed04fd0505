// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/geometry_fields.h"
#include "data/study/study_types.h"

#include <span>
#include <vector>

namespace gridhelm::data {

/// A field of one state at places (x, y, z of each), as a solver's start needs it: linear between
/// the values of points, and between those of cells. `values` are those of the whole field on this
/// mesh, `geometry` where the body is in that state. Throws gridhelm::Error for a field with
/// several components, and for a place that is outside of the mesh or of the body, naming it.
std::vector<double> fieldAtPlaces(const Mesh &mesh, const GeometryValues &geometry,
                                  const Field &field, std::span<const float> values,
                                  std::span<const double> places);

} // namespace gridhelm::data
