// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkDataSet.h>

#include "data/answers/response_samples.h"
#include "data/study/study.h"

namespace gridhelm::data {

/// By VTK. Of the whole mesh, boxes and spheres all points (or cells, by their middles) inside,
/// with the volumes that belong to them; of a point what is interpolated there, with the weight 1;
/// of a line 201 such places, an equal distance apart, with its length, shared out among them.
/// Slopes are those of EntitySlopes, interpolated as values are. Errors as SamplesOfMesh says.
ResponseSamples samplesAt(vtkDataSet &data, Association of, const answers::ResponsePlace &place,
                          SlopeAxes slopes = {});

/// The same of a study's mesh, which is read once. Throws gridhelm::Error if there is none yet.
SamplesOfMesh samplesOf(const Study &study);

} // namespace gridhelm::data
