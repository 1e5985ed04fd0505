// SPDX-License-Identifier: GPL-3.0-or-later
//
// Views by their names.
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

namespace gridhelm::data {

std::vector<std::string> Study::viewNames() const
{
    return m_file->guarded([&] {
        std::vector<std::string> names;
        for (auto row = m_file->query("SELECT name FROM views ORDER BY name"); row.step();)
            names.push_back(row.text(0));
        return names;
    });
}

std::optional<View> Study::view(std::string_view name) const
{
    return m_file->guarded([&]() -> std::optional<View> {
        auto row = m_file->query("SELECT name, json, rowid, checksum FROM views WHERE name = ?");
        if (!row.bind(name).step())
            return std::nullopt;
        if (!isSealed(SealedTable::views, row))
            m_file->throwDamaged("the checksum of a view does not match");
        return View{std::string(name), row.text(1)};
    });
}

void StudyWriter::putView(const View &view)
{
    inTransaction(*m_file, [&] {
        m_file->query("INSERT OR REPLACE INTO views (name, checksum, json) VALUES (?, 0, ?)")
            .bind(std::string_view(view.name))
            .bind(std::string_view(view.json))
            .run();
        sealRow(*m_file, SealedTable::views, m_file->database().getLastInsertRowid());
    });
}

void StudyWriter::removeView(std::string_view name)
{
    inTransaction(*m_file,
                  [&] { m_file->query("DELETE FROM views WHERE name = ?").bind(name).run(); });
}

} // namespace gridhelm::data
