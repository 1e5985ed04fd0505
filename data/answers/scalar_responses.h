// SPDX-License-Identifier: GPL-3.0-or-later
//
// Responses of scalar studies, in whose grids space is part of the coordinates: exactly what the
// study's own interpolant says, integrated over space.
#pragma once

#include "data/answers/study_responses.h"

namespace gridhelm::data {

/// Values at a point, means and integrals over all of space or a box, of affine formulas of the
/// study's fields: each is a sparse grid over the parameters that are left (answerSpace()). Their
/// errors are not measured: hold-outs of such a study are values at single places. Throws
/// gridhelm::Error, beginning with the response's name, for what is none of these.
std::vector<StudyResponse> scalarResponses(const Study &study,
                                           const std::vector<ResponseDefinition> &definitions);

} // namespace gridhelm::data
