// SPDX-License-Identifier: GPL-3.0-or-later
//
// Hold-outs, error figures and views: small rows, each under a checksum of its own.
#include "data/study/row_checksums.h"
#include "data/study/study.h"
#include "data/study/study_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

namespace gridhelm::data {

namespace {

std::vector<double> readParameters(const StudyFile &file, std::span<const std::byte> bytes)
{
    std::vector<double> values(file.description().space.parameters().size());
    if (bytes.size() != values.size() * sizeof(double))
        file.throwDamaged("parameter values are missing");
    std::memcpy(values.data(), bytes.data(), bytes.size());
    if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); }))
        file.throwDamaged("parameter values are no finite numbers");
    return values;
}

} // namespace

namespace {

/// From a row of selectAll(errorFigures). The worst error of all is infinite; less than none is
/// none.
ErrorFigure figureOf(const StudyFile &file, const Query &row)
{
    ErrorFigure figure;
    const auto kind = row.text(1);
    bool isKnown = false;
    for (auto known : {ErrorKind::heldOut, ErrorKind::leaveOneOut, ErrorKind::indicator}) {
        if (kind != toString(known))
            continue;
        figure.kind = known;
        isKnown = true;
    }
    figure.field = static_cast<FieldIndex>(row.integer(2));
    if (!isKnown || figure.field >= file.fields().size())
        file.throwDamaged("an error figure names a field or a kind that is not there");
    figure.parameters = readParameters(file, row.blob(3));
    figure.relativeL2 = row.real(4);
    figure.maximum = row.real(5);
    figure.relativeMaximum = row.real(6);
    if (!(figure.relativeL2 >= 0 && figure.maximum >= 0 && figure.relativeMaximum >= 0))
        file.throwDamaged("an error figure is negative");
    figure.gridPoints = static_cast<std::uint64_t>(row.integer(7));
    figure.missingPoints = static_cast<std::uint64_t>(row.integer(8));
    return figure;
}

/// Those with values, or those without: rows that only say what was asked for.
std::vector<HoldOut> readHoldOuts(StudyFile &file, bool withValues)
{
    return file.guarded([&] {
        std::vector<HoldOut> holdOuts;
        const ReadTransaction together(file);
        std::set<std::int64_t> valued;
        for (auto row = file.query("SELECT DISTINCT hold_out FROM hold_out_values "
                                   "ORDER BY hold_out");
             row.step();)
            valued.insert(row.integer(0));
        TableSum sum;
        for (auto row = file.query(selectAll(SealedTable::holdOuts)); row.step();) {
            if (!isSealed(SealedTable::holdOuts, row))
                file.throwDamaged("the checksum of a hold-out does not match");
            sum.add(countOf("hold_outs", std::array{row.integer(0), row.integer(3)}));
            if (valued.contains(row.integer(0)) == withValues)
                holdOuts.push_back({row.integer(0), readParameters(file, row.blob(1))});
        }
        file.requireSum("hold_outs", sum);
        return holdOuts;
    });
}

} // namespace

std::vector<HoldOut> Study::holdOuts() const
{
    return readHoldOuts(*m_file, true);
}

std::vector<HoldOut> Study::missingHoldOuts() const
{
    return readHoldOuts(*m_file, false);
}

std::vector<ErrorFigure> Study::errorFigures() const
{
    return m_file->guarded([&] {
        std::vector<ErrorFigure> figures;
        const ReadTransaction together(*m_file);
        TableSum sum;
        for (auto row = m_file->query(selectAll(SealedTable::errorFigures)); row.step();) {
            if (!isSealed(SealedTable::errorFigures, row))
                m_file->throwDamaged("the checksum of an error figure does not match");
            sum.add(countOf("error_figures", std::array{row.integer(0), row.integer(10)}));
            figures.push_back(figureOf(*m_file, row));
        }
        m_file->requireSum("error_figures", sum);
        return figures;
    });
}

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

} // namespace gridhelm::data
