// SPDX-License-Identifier: GPL-3.0-or-later
//
// The way back from a growth of the grid, as long as nothing has been computed for it.
#pragma once

#include "data/study/study_writer.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace gridhelm::data {

/// The last growth of a study's grid: what undoing it takes away, and whether that can be done.
struct Growth
{
    int level = 0; ///< that the study goes back to
    std::uint64_t points = 0;
    std::size_t jobs = 0;
    std::string obstacle; ///< a sentence; empty if it can be undone
};

/// Nothing if the grid is the one that the study began with.
std::optional<Growth> lastGrowth(const Study &study);

/// Takes the points and jobs of the last growth away, with the logs of those that failed: the study
/// has the grid, the level and the caps that it had before. Points keep what they have; their
/// indices in grid() are as they were. In one transaction. Throws gridhelm::Error if there was no
/// growth, or if one of its jobs is running or has results, which are not thrown away.
Growth undoGrowth(StudyWriter &writer);

} // namespace gridhelm::data
