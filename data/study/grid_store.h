// SPDX-License-Identifier: GPL-3.0-or-later
//
// A study's grids in its tables: each generation is a set of blocks, stored as it is. Private to
// data.
#pragma once

#include "core/sparse/sparse_grid.h"
#include "data/study/blob_codec.h"
#include "data/study/description_rows.h"

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <memory>
#include <string>

namespace gridhelm::data {

/// Into the table grid_blocks.
void writeBlocks(SQLite::Database &database, std::int64_t generation,
                 const sparse::SparseGrid &grid, BlobEncoder &encoder);

/// Differs for generations of other blocks: the checksums of its parts.
std::string blocksStamp(const SQLite::Database &database, std::int64_t generation);

/// The grid of a generation. Throws gridhelm::Error if its blocks are damaged, are not those of a
/// sparse grid in storage order, or are others than the row says; and if it is larger than a study
/// can be.
std::shared_ptr<const sparse::SparseGrid> readGrid(const SQLite::Database &database,
                                                   std::int64_t generation, const GridRow &row,
                                                   const ParameterSpace &space, StudyKind kind);

} // namespace gridhelm::data
