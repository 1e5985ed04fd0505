// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace gridhelm::data {

/// Statistics of a study. Sizes are those of float32 values unless they say "stored".
struct StudyInfo
{
    std::uint64_t gridPoints = 0;
    std::uint64_t gridBlocks = 0;
    int groups = 0;
    double fullGridPoints =
        0; ///< of the full grid with the same finest mesh width in each dimension

    std::uint64_t jobsWaiting = 0, jobsRunning = 0, jobsDone = 0, jobsFailed = 0;
    std::uint64_t jobsElsewhere = 0; ///< of those that run: they do so whoever is here

    struct OfField
    {
        std::uint64_t missingPoints = 0;
        std::uint64_t finalCoefficients = 0; ///< points
        std::uint64_t provisionalCoefficients = 0;
        std::uint64_t storedSnapshotBytes = 0;
        std::uint64_t storedCoefficientBytes = 0;
        std::optional<ModeSet> modes;
        std::uint64_t storedModeBytes = 0;                          ///< with modal coefficients
        std::shared_ptr<const QuantisedCoefficients> quantisedRows; ///< null: there are none
        std::uint64_t storedQuantisedRowBytes = 0;
        /// Which of what is stored was estimated, of many parts by some of them: off by 3 % (root
        /// mean square, measured) where their lengths differ by as much as their mean, and by 14 %
        /// where one in a hundred is a hundred times as long as the others.
        struct Estimated
        {
            bool snapshots = false, coefficients = false, modes = false, quantisedRows = false;

            bool any() const { return snapshots || coefficients || modes || quantisedRows; }
        };
        Estimated areEstimated;
        double rawSnapshotBytes = 0; ///< all snapshots of the grid as float32
        double fullGridBytes = 0;    ///< a snapshot at every point of the full grid
    };
    std::vector<OfField> fields;

    std::uint64_t fileBytes = 0;
    /// Bytes of the write-ahead log beside the file: finished work that a copy of the one file may
    /// lack. 0 when nobody writes.
    std::uint64_t logBytes = 0;
    bool isBeingWritten = false;
    std::uint64_t holdOuts = 0;

    /// float32 bytes of the full grid, and of the snapshots that are compressed, each divided by
    /// the bytes of all coefficients as stored. 0 as long as points have none.
    double compressionToFullGrid = 0;
    double compressionToSnapshots = 0;
};

StudyInfo info(const Study &study);

} // namespace gridhelm::data
