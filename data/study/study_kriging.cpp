// SPDX-License-Identifier: GPL-3.0-or-later
//
// Kriging of a field's modes.
#include "core/support/checked_math.h"
#include "core/support/memory_check.h"
#include "data/study/blob_store.h"
#include "data/study/byte_parts.h"
#include "data/study/kriging_codec.h"
#include "data/study/row_checksums.h"
#include "data/study/study.h"
#include "data/study/table_access.h"

#include <array>
#include <optional>
#include <utility>

namespace gridhelm::data {

namespace {

KeyOfPart keysOf(FieldIndex field, std::int64_t size)
{
    return [field, size](std::int64_t part) {
        return blobKey(BlobTable::krigingModels, field, static_cast<std::uint64_t>(part), size);
    };
}

struct Head
{
    std::int64_t runs = 0, size = 0, content = 0, checksum = 0;
};

std::optional<Head> readHead(const StudyFile &file, FieldIndex field)
{
    std::optional<Head> found;
    TableSum sum;
    for (auto row = file.query(selectAll(SealedTable::krigingModels)); row.step();) {
        if (!isSealed(SealedTable::krigingModels, row))
            file.throwDamaged("the checksum of what it says of its kriging does not match");
        sum.add(countOf("kriging_models", std::array{row.integer(0), row.integer(5)}));
        if (row.integer(0) == idOf(field))
            found = Head{row.integer(1), row.integer(2), row.integer(3), row.integer(5)};
    }
    file.requireSum("kriging_models", sum);
    return found;
}

bool mayHaveKriging(const StudyFile &file, FieldIndex field)
{
    static_cast<void>(file.field(field));
    return isVector(file);
}

FieldKriging readKriging(const StudyFile &file, FieldIndex field, const Head &head,
                         std::uint64_t modes)
{
    const auto dimension = static_cast<std::uint64_t>(file.description().space.parameters().size());
    const auto runs = static_cast<std::uint64_t>(head.runs);
    if (head.runs < 1 || runs > FieldKriging::mostRuns || modes > runs || head.size < 0
        || static_cast<std::uint64_t>(head.size) > mostKrigingBytes(dimension, runs, modes))
        file.throwDamaged("what it says of its kriging cannot be");
    requireMemory(2.0 * static_cast<double>(head.size),
                  "the kriging of field " + file.field(field).name, "close other programs");
    std::vector<char> bytes(static_cast<std::size_t>(head.size));
    auto row = file.query("SELECT part, encoding, checksum, bytes FROM kriging_parts "
                          "WHERE field = ? ORDER BY part");
    row.bind(idOf(field));
    auto problem = decodeParts(row, keysOf(field, head.size), bytes);
    FieldKriging kriging;
    if (problem.empty() && checksum(std::as_bytes(std::span(bytes))) != head.content)
        problem = "it is another one than it says";
    if (problem.empty())
        problem = decodeKriging(std::as_bytes(std::span(bytes)), dimension, runs, modes, kriging);
    if (!problem.empty())
        file.throwDamaged("its kriging cannot be read: " + problem);
    for (auto &point : kriging.points)
        point = file.pointOfId(static_cast<std::int64_t>(point));
    return kriging;
}

} // namespace

std::shared_ptr<const FieldKriging> Study::kriging(FieldIndex field) const
{
    return m_file->guarded([&]() -> std::shared_ptr<const FieldKriging> {
        if (!mayHaveKriging(*m_file, field))
            return nullptr;
        const ReadTransaction together(*m_file);
        const auto head = readHead(*m_file, field);
        if (!head)
            return nullptr;
        auto &kept = m_file->kriging(field);
        if (!kept.kriging || kept.checksum != head->checksum) {
            const auto set = modeSet(field);
            if (!set)
                m_file->throwDamaged("it has kriging of POD modes that are not there");
            kept = {head->checksum,
                    std::make_shared<const FieldKriging>(
                        readKriging(*m_file, field, *head, set->modes())),
                    nullptr};
        }
        return kept.kriging;
    });
}

bool Study::hasKriging(FieldIndex field) const
{
    return m_file->guarded([&] {
        if (!mayHaveKriging(*m_file, field))
            return false;
        const ReadTransaction together(*m_file);
        return readHead(*m_file, field).has_value();
    });
}

void writeKriging(StudyFile &file, FieldIndex field, const FieldKriging &kriging)
{
    const auto &model = kriging.model;
    kriging::requireSound(model);
    if (model.runs > FieldKriging::mostRuns)
        throw Error("kriging of " + std::to_string(model.runs)
                    + " runs takes too much memory: choose at most "
                    + std::to_string(FieldKriging::mostRuns) + " of them");
    auto stored = kriging;
    for (auto &point : stored.points)
        point = static_cast<std::uint64_t>(file.pointId(point));
    const auto bytes = encodeKriging(stored);
    const auto size = narrow<std::int64_t>(bytes.size());
    file.query("INSERT INTO kriging_models (field, runs, size, content, checksum) "
               "VALUES (?, ?, ?, ?, 0)")
        .bind(idOf(field))
        .bind(static_cast<std::uint64_t>(model.runs))
        .bind(size)
        .bind(checksum(bytes))
        .run();
    sealRow(file, SealedTable::krigingModels, idOf(field));
    encodeParts(bytes, keysOf(field, size), file.encoder(),
                [&](std::int64_t part, const EncodedBlob &blob) {
                    auto insert =
                        file.query("INSERT INTO kriging_parts (field, part, encoding, checksum, "
                                   "bytes) VALUES (?, ?, ?, ?, ?)");
                    insert.bind(idOf(field)).bind(part);
                    bindBlob(insert, blob);
                    insert.run();
                });
}

} // namespace gridhelm::data
