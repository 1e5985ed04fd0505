// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is known of a study's blocks, and which ones come next. Private to data.
#pragma once

#include "core/sparse/adaptive_blocks.h"
#include "data/evaluate/block_gains.h"
#include "data/study/study_writer.h"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace gridhelm::data {

/// The blocks of a study that requireRefinable() takes, in the parameters that cost runs, with what
/// they add to fields.
class RefinementState
{
public:
    /// `study` must outlive it. `counts`: of each of the fields; empty: everything.
    RefinementState(const Study &study, const std::vector<FieldIndex> &fields,
                    const std::vector<ErrorThatCounts> &counts = {});

    /// Reads what has been compressed since the last call: gains of blocks that had none, or lacked
    /// points. To be called again whenever the study has changed.
    void update();

    /// The next blocks, of at least `wanted` runs together if there are so many, and `most` at
    /// most.
    std::vector<Refinement> choose(std::uint64_t wanted, std::uint64_t most) const;

    /// Of a field's error that is left, relative to the field: what all candidates are expected to
    /// add, or what the leaf blocks have added, whichever is more.
    double estimate(std::size_t ofFields) const;
    double worstEstimate() const;

    std::uint64_t runs() const; ///< points of the grid in the parameters that cost runs

private:
    struct Block
    {
        sparse::LevelVector levels;
        std::vector<double> gains; ///< of each field, in its unit; empty: not known
        bool isWhole = false;      ///< all of its points had final coefficients
    };
    sparse::LevelVector inGrid(const sparse::LevelVector &levels) const;
    double scale(std::size_t field) const;
    void addNewBlocks();
    std::vector<sparse::KnownBlock> knownBlocks(std::optional<std::size_t> ofField) const;

    const Study &m_study;
    std::vector<BlockGains> m_gains;
    std::vector<FieldIndex> m_fields;
    std::vector<std::size_t> m_dimensions; ///< that cost runs
    std::vector<sparse::BoundaryTreatment> m_treatments;
    sparse::RefinementRules m_rules;
    std::vector<Block> m_blocks; ///< in the order in which they came
    std::map<sparse::LevelVector, std::size_t> m_index;
};

} // namespace gridhelm::data
