// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/blob_codec.h"
#include "data/study/study_types.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::data {

/// All fields of one moment, as a run delivers them or a file has them.
struct RunSnapshot
{
    std::optional<double> time; ///< as the file says; nothing if it does not
    Mesh mesh;
    std::vector<Field> fields;
    /// Of each of `fields`, those of one entity adjacent: numbers that stand for values by the
    /// field's offset and scale, which another snapshot may have other ones of.
    std::vector<std::vector<float>> values;
    std::vector<std::string> notes = {};    ///< sentences about what was left out
    std::vector<PackedParts> packed = {};   ///< of each of `values`, or none: StudyWriter::packed
};

/// Reading has ended because somebody asked for it. No gridhelm::Error: nothing is wrong.
struct ReadingStopped
{};

} // namespace gridhelm::data
