// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots that exist already, with a table of their parameters.
#pragma once

#include "data/campaign/snapshot_reader.h"
#include "data/study/study_writer.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gridhelm::data {

struct ImportRow
{
    std::filesystem::path file;
    std::vector<double> parameters; ///< one for each; of the time-like one NaN if the file says it
};

/// CSV with a header: a column for each parameter (the time-like one may be missing if the files
/// say their time) and `file`, relative to `folder`; or `files`, one for each row. Throws
/// gridhelm::Error with the line of what is wrong.
std::vector<ImportRow> parseImportTable(std::string_view csv, std::string_view source,
                                        const std::filesystem::path &folder,
                                        const ParameterSpace &space,
                                        std::span<const std::filesystem::path> files);

struct ImportReport
{
    std::uint64_t stored = 0;       ///< snapshots that became grid points
    std::uint64_t alreadyThere = 0; ///< of grid points or hold-outs that the study had
    std::uint64_t holdOuts = 0;     ///< off the grid
    std::uint64_t jobsDone = 0;
    std::vector<std::uint64_t> missing; ///< grid points without a snapshot
};

/// A file matches a grid point within 1e-6 of the range; the others become hold-outs. Each file is
/// a transaction of its own; throws gridhelm::Error naming the file that does not do.
ImportReport importFiles(StudyWriter &writer, std::span<const ImportRow> rows,
                         const std::vector<std::string> &fields, const SnapshotReader &reader);

/// The grid point at these unit coordinates, within 1e-6.
std::optional<std::uint64_t> pointAt(const sparse::SparseGrid &grid, std::span<const double> x);

} // namespace gridhelm::data
