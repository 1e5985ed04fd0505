// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots that exist already, with a table of their parameters.
#pragma once

#include "data/campaign/import_table.h"
#include "data/mesh/snapshot_reader.h"
#include "data/study/study_writer.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

struct ImportOptions
{
    std::vector<std::string> fields; ///< to take; empty: those of the study, or all
    MeshFitter fit = refuseOtherMeshes();
    /// Of files that say their times: those between the grid's, too, as hold-outs. Otherwise they
    /// are left out if the run is on the grid in everything else.
    bool allTimes = false;
    /// What is off the grid is what kriging is fitted to, instead of hold-outs.
    bool areTrainingRuns = false;
    std::function<bool()> cancelled = {}; ///< asked at every file
    std::stop_token stop = {};            ///< ends the file that is being read, too
    std::function<void(std::size_t done, std::size_t total)> progress = {}; ///< files
};

struct ImportReport
{
    std::uint64_t stored = 0;       ///< snapshots that became grid points
    std::uint64_t alreadyThere = 0; ///< of grid points and others that the study had
    std::uint64_t holdOuts = 0;     ///< off the grid
    std::uint64_t trainingRuns = 0; ///< off the grid, if that is what they were to be
    std::uint64_t leftOut = 0;      ///< times out of the range, or not wanted (allTimes)
    std::uint64_t jobsDone = 0;
    std::vector<std::uint64_t> missing; ///< grid points without a snapshot
    std::set<std::string> notes;        ///< sentences about what was left out
    bool cancelled = false;
};

/// A file matches a grid point, or the place of a planned run that waits or has failed, within
/// importTolerance; the others become hold-outs, or training runs. Each file is a transaction of
/// its own; throws gridhelm::Error naming the row whose file does not do. Rows that repeat each
/// other, and files that are not there, are found before anything is stored.
ImportReport importFiles(StudyWriter &writer, std::span<const ImportRow> rows,
                         const ImportOptions &options, const SnapshotReader &reader);

} // namespace gridhelm::data
