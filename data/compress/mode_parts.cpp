// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/mode_parts.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::data {

ModeParts::ModeParts(StudyWriter &writer, FieldIndex field)
    : m_writer(writer)
    , m_field(field)
{
}

void ModeParts::add(std::size_t first, modes::MatrixView<const float> block)
{
    const auto part = first / Study::partValues(), offset = first % Study::partValues();
    const auto size = m_writer.valuesInPart(m_field, part);
    m_values.resize(block.rows * size);
    for (std::size_t m = 0; m < block.rows; ++m)
        std::copy_n(block.row(m), block.columns, m_values.data() + m * size + offset);
    if (offset + block.columns < size)
        return;
    for (std::size_t m = 0; m < block.rows; ++m)
        m_writer.putModePart(m_field, m, part, std::span(m_values).subspan(m * size, size));
}

ModeSet modeSetOf(const modes::Modes &modes, bool byVolumes, double cut)
{
    ModeSet set;
    set.snapshots = modes.snapshots;
    set.byVolumes = byVolumes;
    set.cut = cut;
    set.cutEnergy = modes.cutEnergy;
    set.norm = std::sqrt(modes.energy / static_cast<double>(modes.snapshots));
    set.meanError = modes.meanError;
    set.largestError = modes.largestError;
    set.largestDifference = modes.largestDifference;
    set.singularValues = modes.singularValues;
    return set;
}

} // namespace gridhelm::data
