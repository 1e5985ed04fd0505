// SPDX-License-Identifier: GPL-3.0-or-later
//
// Coefficients in as few bits as an error allows: for fields whose snapshots are no combinations of
// a few modes.
#pragma once

#include "data/compress/quantise_modes.h"

namespace gridhelm::data {

/// Stores the coefficients of a field that has modes of a sparse grid in few bits, in place of
/// these modes, if a picture then reads fewer than `fewerThan` bytes, as far as that can be
/// foretold; the exact coefficients stay. As quantiseModes(): what that adds is measured with what
/// was written, at all points that have coefficients, and at hold-outs, and what each row is off is
/// kept. Fields with more than 8,192 coefficients are left as they are. In one transaction. Throws
/// gridhelm::Error as quantiseModes().
QuantiseReport quantiseRows(StudyWriter &writer, FieldIndex field, const QuantiseOptions &options,
                            double fewerThan);

/// What a picture of the field reads of its float32 coefficients, those that it has, in the mean
/// over places that are spread over the ranges.
double floatPictureBytes(const Study &study, FieldIndex field);

} // namespace gridhelm::data
