// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which degree the functions of a study's grid have, where nobody has chosen it by hand
// (docs/theory/surrogates.md). No run is needed, and nothing is written.
#pragma once

#include "core/execution/execution_context.h"
#include "core/parameters/parameter_space.h"
#include "data/study/study.h"

#include <array>
#include <stop_token>
#include <vector>

namespace gridhelm::data {

inline constexpr std::array degreesCompared{ErrorKind::degree1Compared, ErrorKind::degree2Compared,
                                            ErrorKind::degree3Compared};

/// Degree 1, 2 or 3 in each parameter that can have it and costs runs, in others the highest or the
/// present one: of dense parameters the finest runs, which have all of their values, say nothing.
std::vector<int> degreesOf(const ParameterSpace &space, int degree);

/// Whether these differ for degrees 1, 2 and 3.
bool canChooseDegree(const ParameterSpace &space);

/// Figures that say what grids of degree 1, 2 and 3 are off at the finest runs without these, from
/// some thousand of the field's values at most, spread over the mesh. Empty if snapshots are
/// missing or were dropped, or there is no choice, or a stop is requested.
std::vector<ErrorFigure> compareDegrees(const Study &study, FieldIndex field,
                                        const ExecutionContext &context,
                                        const std::stop_token &stop = {});

/// Of such figures of one field or several: the degree with the least product of the fields' mean
/// errors, the lowest where they are the same. 0: there are no figures.
int bestDegree(const std::vector<ErrorFigure> &figures);

} // namespace gridhelm::data
