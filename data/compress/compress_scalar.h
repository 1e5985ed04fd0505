// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/compress/compress.h"

namespace gridhelm::data {

/// compress() for one field of a scalar study; adds to `report`.
void compressScalarField(StudyWriter &writer, FieldIndex field, const CompressOptions &options,
                         CompressReport &report);

} // namespace gridhelm::data
