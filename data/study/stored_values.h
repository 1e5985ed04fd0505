// SPDX-License-Identifier: GPL-3.0-or-later
//
// Values in double precision as a study stores them: in single precision, less an offset where the
// values are large beside what they differ by, and in units of a scale where they are too small, or
// too large, for single precision.
#pragma once

#include "data/study/study_types.h"

#include <span>
#include <vector>

namespace gridhelm::data {

/// The numbers that stand for the values of one snapshot of the field, whose offset and scale are
/// chosen. Both stay 0 and 1 where single precision has all values, or nothing is gained; an offset
/// is chosen for fields with one component alone. Values that are not finite stay so.
std::vector<float> storedValues(Field &field, std::span<const double> values);

/// Makes numbers that stand for values by the offset and scale of `from` stand for the same values
/// by those of `to`.
void storeAs(const Field &to, const Field &from, std::span<float> numbers);

} // namespace gridhelm::data
