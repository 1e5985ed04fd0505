// SPDX-License-Identifier: GPL-3.0-or-later
//
// Modes as they are computed, to modes as a study stores them. Private to data.
#pragma once

#include "core/modes/modes.h"
#include "data/study/study_writer.h"

#include <cstddef>
#include <vector>

namespace gridhelm::data {

/// The cut if nothing asks for another one: a relative error of 3e-5.
inline constexpr double usualCut = 1e-9;

/// Puts modes together whose values come in pieces of parts.
class ModeParts
{
public:
    ModeParts(StudyWriter &writer, FieldIndex field);

    void add(std::size_t first, modes::MatrixView<const float> block);

private:
    StudyWriter &m_writer;
    FieldIndex m_field;
    std::vector<float> m_values;
};

ModeSet modeSetOf(const modes::Modes &modes, bool byVolumes, double cut);

} // namespace gridhelm::data
