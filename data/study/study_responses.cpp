// SPDX-License-Identifier: GPL-3.0-or-later
//
// Definitions of responses.
#include "core/support/error.h"
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <algorithm>
#include <array>

namespace gridhelm::data {

namespace {

constexpr std::size_t mostResponses = 1000;
constexpr std::size_t longestText = 2000;

bool isShort(const ResponseDefinition &definition)
{
    return std::max({definition.unit.size(), definition.expression.size(),
                     definition.reduction.size(), definition.place.size()})
           <= longestText;
}

} // namespace

std::vector<ResponseDefinition> Study::responses() const
{
    return m_file->guarded([&] {
        std::vector<ResponseDefinition> responses;
        const ReadTransaction together(*m_file);
        TableSum sum;
        for (auto row = m_file->query(selectAll(SealedTable::responses)); row.step();) {
            if (!isSealed(SealedTable::responses, row))
                m_file->throwDamaged("the checksum of a response does not match");
            sum.add(countOf("responses", std::array{row.integer(0), row.integer(7)}));
            ResponseDefinition definition{row.text(1), row.text(2), row.text(3), row.text(4),
                                          row.text(5)};
            if (!isName(definition.name) || !isShort(definition)
                || responses.size() >= mostResponses)
                m_file->throwDamaged("a response is none");
            responses.push_back(std::move(definition));
        }
        m_file->requireSum("responses", sum);
        return responses;
    });
}

void StudyWriter::putResponse(const ResponseDefinition &definition)
{
    if (!isName(definition.name))
        throw Error(
            "a response is called by letters, digits, blanks and -_.()%+*^&, and begins with a "
            "letter: choose another name");
    if (!isShort(definition))
        throw Error("a text of the response " + definition.name + " is longer than "
                    + std::to_string(longestText) + " characters: make it shorter");
    inTransaction(*m_file, [&] {
        const auto there = responses();
        const bool isKnown =
            std::ranges::find(there, definition.name, &ResponseDefinition::name) != there.end();
        if (!isKnown && there.size() >= mostResponses)
            throw Error("a study has at most " + std::to_string(mostResponses)
                        + " responses: remove one first");
        m_file
            ->query(isKnown ? "UPDATE responses SET unit = ?, expression = ?, reduction = ?, "
                              "place = ?, checksum = 0 WHERE name = ?"
                            : "INSERT INTO responses (unit, expression, reduction, place, name, "
                              "checksum) VALUES (?, ?, ?, ?, ?, 0)")
            .bind(std::string_view(definition.unit))
            .bind(std::string_view(definition.expression))
            .bind(std::string_view(definition.reduction))
            .bind(std::string_view(definition.place))
            .bind(std::string_view(definition.name))
            .run();
        std::int64_t id = 0;
        {
            auto row = m_file->query("SELECT id FROM responses WHERE name = ?");
            row.bind(std::string_view(definition.name)).step();
            id = row.integer(0);
        }
        sealRow(*m_file, SealedTable::responses, id);
    });
}

bool StudyWriter::removeResponse(std::string_view name)
{
    return inTransaction(*m_file, [&] {
        return m_file->query("DELETE FROM responses WHERE name = ?").bind(name).run() > 0;
    });
}

} // namespace gridhelm::data
