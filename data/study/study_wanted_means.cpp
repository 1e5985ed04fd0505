// SPDX-License-Identifier: GPL-3.0-or-later
//
// What compress still has to make: kept, so that it is made after an interruption, too.
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <array>

namespace gridhelm::data {

namespace {

constexpr int askedModes = 1, askedError = 2, askedSurrogate = 4, askedDegree = 8;
constexpr int staysFloat = 16;

std::int64_t numberOf(const FieldMeans::Asked &asked)
{
    return (asked.modes ? askedModes : 0) + (asked.error ? askedError : 0)
           + (asked.surrogate ? askedSurrogate : 0) + (asked.degree ? askedDegree : 0);
}

FieldMeans::Asked askedOf(std::int64_t number)
{
    const auto has = [number](int part) { return (number & part) != 0; };
    return {has(askedModes), has(askedError), has(askedSurrogate), has(askedDegree)};
}

bool isShareOrZero(double number)
{
    return number >= 0 && number < 1;
}

} // namespace

std::optional<FieldMeans> Study::wantedMeans(FieldIndex field) const
{
    return m_file->guarded([&]() -> std::optional<FieldMeans> {
        const ReadTransaction together(*m_file);
        std::optional<FieldMeans> found;
        TableSum sum;
        for (auto row = m_file->query(selectAll(SealedTable::wantedMeans)); row.step();) {
            if (!isSealed(SealedTable::wantedMeans, row))
                m_file->throwDamaged("the checksum of what is still to be made does not match");
            sum.add(countOf("wanted_means", std::array{row.integer(0), row.integer(9)}));
            const double cut = row.real(4), allowed = row.real(5);
            if (!isShareOrZero(cut) || !isShareOrZero(allowed))
                m_file->throwDamaged("what it says is still to be made cannot be");
            if (row.integer(0) != idOf(field))
                continue;
            FieldMeans of;
            of.isKriged = row.integer(1) != 0;
            of.isChosen = row.integer(2) != 0;
            of.hasModes = row.integer(3) != 0;
            if (cut > 0)
                of.cut = cut;
            of.error = {allowed, row.integer(6) != 0};
            of.asked = askedOf(row.integer(7));
            of.staysFloat = (row.integer(7) & staysFloat) != 0;
            found = of;
        }
        m_file->requireSum("wanted_means", sum);
        return found;
    });
}

void StudyWriter::setWantedMeans(FieldIndex field, const std::optional<FieldMeans> &means)
{
    if (wantedMeans(field) == means)
        return; // nothing to wait for the disk for
    inTransaction(*m_file, [&] {
        m_file->query("DELETE FROM wanted_means WHERE field = ?").bind(idOf(field)).run();
        if (!means)
            return;
        const auto flag = [](bool is) { return is ? 1 : 0; };
        m_file
            ->query("INSERT INTO wanted_means (field, kriged, chosen, modes, cut, allowed, half, "
                    "asked, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)")
            .bind(idOf(field))
            .bind(flag(means->isKriged))
            .bind(flag(means->isChosen))
            .bind(flag(means->hasModes))
            .bind(means->cut.value_or(0))
            .bind(means->error.allowed)
            .bind(flag(means->error.isHalf))
            .bind(numberOf(means->asked) + (means->staysFloat ? staysFloat : 0))
            .run();
        sealRow(*m_file, SealedTable::wantedMeans, idOf(field));
    });
}

} // namespace gridhelm::data
