// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/study/grid_store.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "data/study/blob_store.h"
#include "data/study/byte_parts.h"
#include "data/study/study_limits.h"

#include <SQLiteCpp/Statement.h>

#include <algorithm>

namespace gridhelm::data {

namespace {

/// `size`: of the whole table of blocks, in bytes.
KeyOfPart keysOf(std::int64_t generation, std::uint64_t size)
{
    return [generation, owner = static_cast<std::int64_t>(size)](std::int64_t part) {
        return BlobKey{static_cast<std::int64_t>(BlobTable::gridBlocks), generation, part, owner};
    };
}

std::vector<sparse::BoundaryTreatment> treatmentsOf(const ParameterSpace &space)
{
    std::vector<sparse::BoundaryTreatment> treatments;
    for (const auto &parameter : space.parameters())
        treatments.push_back(parameter.usedTreatment());
    return treatments;
}

std::vector<sparse::Level> readLevels(const SQLite::Database &database, std::int64_t generation,
                                      const GridRow &row, std::size_t dimension)
{
    // A few bytes of compressed zeros would take all memory.
    if (row.blocks < 1 || row.blocks > row.points)
        throw Error("its grid has another number of blocks than it can have");
    requireMemory(static_cast<double>(row.blocks) * (2.0 * static_cast<double>(dimension) + 48),
                  "the grid of the study", "close other programs");
    std::vector<sparse::Level> levels(checkedMultiply(row.blocks, dimension));
    SQLite::Statement parts(database, "SELECT part, encoding, checksum, bytes FROM grid_blocks "
                                      "WHERE generation = ? ORDER BY part");
    Query part(parts);
    part.bind(generation);
    const std::span all(reinterpret_cast<char *>(levels.data()), levels.size());
    if (const auto problem = decodeParts(part, keysOf(generation, all.size()), all);
        !problem.empty())
        throw Error("the blocks of its grid cannot be read: " + problem);
    return levels;
}

bool isOfSize(const sparse::GridCount &count, const GridRow &row)
{
    return count.points == row.points && count.blocks == row.blocks;
}

sparse::GridShape shapeOf(const GridRow &row, const ParameterSpace &space)
{
    return space.withLevelCaps(row.caps).shape(row.level);
}

/// What level and caps tell of it to people.
void requireBounds(const sparse::SparseGrid &grid, const GridRow &row)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    bool isInside = row.caps.size() == d && grid.groups() <= row.level;
    for (std::size_t t = 0; isInside && t < d; ++t)
        isInside = grid.highestLevel(static_cast<int>(t)) < std::max(row.caps[t], 1);
    if (!isInside)
        throw Error("its grid has blocks beyond its level, or its level caps");
}

} // namespace

void writeBlocks(SQLite::Database &database, std::int64_t generation,
                 const sparse::SparseGrid &grid, BlobEncoder &encoder)
{
    SQLite::Statement insert(database, "INSERT INTO grid_blocks (generation, part, encoding, "
                                       "checksum, bytes) VALUES (?, ?, ?, ?, ?)");
    const auto levels = std::as_bytes(grid.levelVectors());
    encodeParts(levels, keysOf(generation, levels.size()), encoder,
                [&](std::int64_t part, const EncodedBlob &blob) {
                    Query row(insert);
                    row.bind(generation).bind(part);
                    bindBlob(row, blob);
                    row.run();
                });
}

std::string blocksStamp(const SQLite::Database &database, std::int64_t generation)
{
    SQLite::Statement parts(database,
                            "SELECT checksum FROM grid_blocks WHERE generation = ? ORDER BY part");
    std::string stamp;
    Query row(parts);
    for (row.bind(generation); row.step();)
        stamp += std::to_string(row.integer(0)) + ";";
    return stamp;
}

std::shared_ptr<const sparse::SparseGrid> readGrid(const SQLite::Database &database,
                                                   std::int64_t generation, const GridRow &row,
                                                   const ParameterSpace &space, StudyKind kind)
{
    requireSensible({row.points, row.blocks}, kind);
    const auto treatments = treatmentsOf(space);
    const auto levels = readLevels(database, generation, row, treatments.size());
    // Most grids are truncated ones, downward-closed by construction: they are compared, instead of
    // looking for what is below each of their blocks.
    try {
        const auto shape = shapeOf(row, space);
        if (!row.leavesLast && isOfSize(sparse::countGrid(shape), row)) {
            auto grid = std::make_shared<const sparse::SparseGrid>(shape);
            if (std::ranges::equal(grid->levelVectors(), levels))
                return grid;
        }
    } catch (const Error &) {
        // Its level is none of a truncated grid.
    }
    auto grid = std::make_shared<const sparse::SparseGrid>(
        treatments, levels, space.dense(), space.degrees(),
        row.leavesLast ? sparse::Grouping::leavesLast : sparse::Grouping::levelSums);
    if (!std::ranges::equal(grid->levelVectors(), levels))
        throw Error("the blocks of its grid are in another order than its points");
    if (!isOfSize({grid->points(), grid->blocks()}, row))
        throw Error("its grid has another number of points than it says");
    requireBounds(*grid, row);
    return grid;
}

} // namespace gridhelm::data
