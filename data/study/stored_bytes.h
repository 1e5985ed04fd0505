// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study.h"

#include <cstdint>

namespace gridhelm::data {

class StudyFile;

/// Whose rows are parts of fields.
enum class PartsTable : std::uint8_t { snapshots, coefficients, modes, quantisedCoefficients };

struct StoredBytes
{
    std::uint64_t bytes = 0;
    bool isEstimated = false;
};

/// Of all parts of a field, as they lie in the file. How long one is stands in a page of its own,
/// so that all of them are a tenth of a large file: of more than 4,096 parts 1,024 that are spread
/// over points and nodes are asked, and the sum is estimated by them. Private to data.
StoredBytes storedBytes(const StudyFile &file, PartsTable table, FieldIndex field);

} // namespace gridhelm::data
