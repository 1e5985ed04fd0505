// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/level_vector.h"
#include "data/study/study.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gridhelm::data {

/// Where an error counts.
struct ErrorThatCounts
{
    /// Coordinates in the unit cube, NaN where any counts; empty: any place.
    std::vector<double> at = {};
    /// Points of the mesh, or cells of a field of cells, ascending; empty: all.
    std::vector<std::uint32_t> entities = {};
};

/// Some values of a part of a field (Study::partValues()).
struct ValuesOfPart
{
    std::uint64_t part = 0;
    std::vector<std::uint32_t> places; ///< in the part
};

/// What blocks of a vector study's grid add to a field (adaptive-grids.md, eq:block-gain).
class BlockGains
{
public:
    /// `study` must outlive it, and is asked for its grid at each call. Throws gridhelm::Error for
    /// entities that the field does not have.
    BlockGains(const Study &study, FieldIndex field, const ErrorThatCounts &counts = {});

    /// Root mean square of what the block adds, with all levels of the dense parameters, in the
    /// field's unit: over random places of the parameter space (those that matter), the same every
    /// time, and over at most 4,096 values of the field that count. Points without coefficients add
    /// 0; nothing if none of the block has any. Throws gridhelm::Error for a block that is not in
    /// the grid, and for what is damaged.
    std::optional<double> of(sparse::LevelVectorView levels) const;

private:
    const Study &m_study;
    FieldIndex m_field;
    std::vector<ValuesOfPart> m_parts; ///< that are looked at
    std::size_t m_values = 0;
    std::vector<std::vector<double>> m_places; ///< of the unit cube
};

} // namespace gridhelm::data
