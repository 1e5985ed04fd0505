// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of scalar studies: values by job, coefficients by chunks of blocks. Private to data.
#pragma once

#include "data/study/study_file.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace gridhelm::data {

/// action(points of the job) for every job whose values of this field are there.
void forScalarJobs(const StudyFile &file, FieldIndex field,
                   const std::function<void(const std::vector<std::uint64_t> &points)> &action);

/// action(offset in the chunk, first point, count) for the runs of neighbouring values of a chunk.
/// Throws gridhelm::Error if it has another size than its levels.
void forRunsOfChunk(const StudyFile &file, std::span<const std::byte> levels, std::int64_t first,
                    std::int64_t count,
                    const std::function<void(std::uint64_t offset, std::uint64_t point,
                                             std::uint64_t count)> &action);

} // namespace gridhelm::data
