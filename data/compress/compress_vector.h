// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/compress/compress.h"

namespace gridhelm::data {

/// compress() for one field of a vector study; adds to `report`.
void compressVectorField(StudyWriter &writer, FieldIndex field, const CompressOptions &options,
                         CompressReport &report);

} // namespace gridhelm::data
