// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/run_snapshot.h"

namespace gridhelm::data {

/// Many programs write no value (NaN) where there is no body. If the fields at points lack a value
/// at the same points, at some and not at all of them, these are outside of the body from now on:
/// one more field (distanceField) says how far each point is from the nearest one of the other
/// kind, and the fields go on outside with the value of the nearest point inside. Returns how many
/// points these are; 0, and nothing has changed, if it is not so, or a field of cells lacks values.
std::size_t leaveOutMissing(RunSnapshot &snapshot);

/// The distance field of a snapshot that lacks no value, beside others that do: all is inside.
void addWholeBody(RunSnapshot &snapshot);

} // namespace gridhelm::data
