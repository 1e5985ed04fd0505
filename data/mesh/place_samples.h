// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkDataSet.h>

#include "data/answers/response_samples.h"
#include "data/study/study.h"

#include <span>

namespace gridhelm::data {

/// By VTK. Of the whole mesh, boxes and spheres all points (or cells, by their middles) inside,
/// with the volumes that belong to them; of a point what is interpolated there, with the weight 1;
/// of a line 201 such places, an equal distance apart, with its length, shared out among them. Of
/// numbered cells their values, with the volumes (areas, lengths) of those of the highest dimension
/// among them, or their points', with an equal share of these; of numbered points theirs, with the
/// volumes that belong to them, or those of cells that have no others.
/// Slopes are those of EntitySlopes, interpolated as values are. `distance`: of points to a body's
/// surface, as GeometryValues has it; those outside do not count, with all of their volume, and
/// there are no slopes, for which values outside would be needed. Errors as SamplesOfMesh says.
ResponseSamples samplesAt(vtkDataSet &data, Association of, const MeshPlace &place,
                          SlopeAxes slopes = {}, std::span<const float> distance = {});

/// The same of a study's mesh, which is read once and stands where the geometry says. Throws
/// gridhelm::Error if there is none yet; null of a scalar study, which needs none.
SamplesOfMesh samplesOf(const Study &study);

} // namespace gridhelm::data
