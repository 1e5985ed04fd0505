// SPDX-License-Identifier: GPL-3.0-or-later
//
// Error figures.
#include "data/study/blob_store.h"
#include "data/study/row_checksums.h"
#include "data/study/study_writer.h"
#include "data/study/table_access.h"

#include <array>
#include <cmath>
#include <limits>

namespace gridhelm::data {

namespace {

/// From a row of selectAll(errorFigures).
ErrorFigure figureOf(const StudyFile &file, const Query &row)
{
    ErrorFigure figure;
    const auto kind = row.text(1);
    bool isKnown = false;
    for (auto known :
         {ErrorKind::heldOut, ErrorKind::leaveOneOut, ErrorKind::indicator,
          ErrorKind::sparseGridCompared, ErrorKind::krigingCompared, ErrorKind::degree1Compared,
          ErrorKind::degree2Compared, ErrorKind::degree3Compared, ErrorKind::olderHalfCompared,
          ErrorKind::sparseGridHeldOut, ErrorKind::krigingHeldOut}) {
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
    if (!isShare(figure.relativeL2) || !isShare(figure.maximum) || !isShare(figure.relativeMaximum))
        file.throwDamaged("an error figure is negative, or not finite");
    figure.gridPoints = static_cast<std::uint64_t>(row.integer(7));
    figure.missingPoints = static_cast<std::uint64_t>(row.integer(8));
    return figure;
}

/// From a row of selectAll(errorBands).
FieldBand bandFrom(const StudyFile &file, const Query &row)
{
    FieldBand band;
    band.field = static_cast<FieldIndex>(row.integer(0));
    band.band = {row.real(1), row.real(2), row.real(3), static_cast<std::size_t>(row.integer(4))};
    band.typical = row.real(5);
    band.edges = static_cast<std::size_t>(row.integer(6));
    band.worstEdge = row.real(7);
    band.gridPoints = static_cast<std::uint64_t>(row.integer(8));
    band.missingPoints = static_cast<std::uint64_t>(row.integer(9));
    // Runs at places that somebody chose are cross-validated, those of a grid are not.
    const int leastHoldOuts = file.description().design == StudyDesign::scattered ? 0 : 1;
    if (band.field >= file.fields().size() || !isShare(band.band.factor)
        || !isShare(band.band.offset) || !(band.band.coverage > 0 && band.band.coverage < 1)
        || row.integer(4) < leastHoldOuts || row.integer(6) < 0 || !isShare(band.typical)
        || !isShare(band.worstEdge))
        file.throwDamaged("an error band is none");
    return band;
}

/// Gives the bands what is known of their nodes.
void readNodeBands(const StudyFile &file, std::vector<FieldBand> &bands)
{
    TableSum sum;
    for (auto row = file.query(selectAll(SealedTable::nodeBands)); row.step();) {
        if (!isSealed(SealedTable::nodeBands, row))
            file.throwDamaged("the checksum of a band of nodes does not match");
        sum.add(countOf("node_bands", std::array{row.integer(0), row.integer(6)}));
        const auto field = static_cast<FieldIndex>(row.integer(0));
        const auto of = std::ranges::find(bands, field, &FieldBand::field);
        const ErrorBand band{row.real(1), row.real(2), row.real(3),
                             static_cast<std::size_t>(row.integer(4))};
        if (of == bands.end() || !isShare(band.factor) || !isShare(band.offset)
            || !(band.coverage > 0 && band.coverage <= 1) || row.integer(4) < 1)
            file.throwDamaged("a band of nodes is none");
        of->nodes = band;
    }
    file.requireSum("node_bands", sum);
}

void writeNodeBand(const StudyFile &file, FieldIndex field, const ErrorBand &band)
{
    file.query("INSERT INTO node_bands (field, factor, offset, share, hold_outs, checksum) "
               "VALUES (?, ?, ?, ?, ?, 0)")
        .bind(idOf(field))
        .bind(band.factor)
        .bind(band.offset)
        .bind(band.coverage)
        .bind(static_cast<std::uint64_t>(band.holdOuts))
        .run();
    sealRow(file, SealedTable::nodeBands, idOf(field));
}

} // namespace

std::vector<FieldBand> Study::errorBands() const
{
    return m_file->guarded([&] {
        std::vector<FieldBand> bands;
        const ReadTransaction together(*m_file);
        TableSum sum;
        for (auto row = m_file->query(selectAll(SealedTable::errorBands)); row.step();) {
            if (!isSealed(SealedTable::errorBands, row))
                m_file->throwDamaged("the checksum of an error band does not match");
            sum.add(countOf("error_bands", std::array{row.integer(0), row.integer(11)}));
            bands.push_back(bandFrom(*m_file, row));
        }
        m_file->requireSum("error_bands", sum);
        readNodeBands(*m_file, bands);
        return bands;
    });
}

void StudyWriter::putErrorBands(std::span<const FieldBand> bands)
{
    inTransaction(*m_file, [&] {
        m_file->query("DELETE FROM error_bands").run();
        for (const auto &band : bands) {
            static_cast<void>(m_file->field(band.field));
            m_file
                ->query("INSERT INTO error_bands (field, factor, offset, coverage, hold_outs, "
                        "typical, edges, worst_edge, grid_points, missing_points, checksum) "
                        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)")
                .bind(idOf(band.field))
                .bind(band.band.factor)
                .bind(band.band.offset)
                .bind(band.band.coverage)
                .bind(static_cast<std::uint64_t>(band.band.holdOuts))
                .bind(band.typical)
                .bind(static_cast<std::uint64_t>(band.edges))
                .bind(band.worstEdge)
                .bind(band.gridPoints)
                .bind(band.missingPoints)
                .run();
            sealRow(*m_file, SealedTable::errorBands, idOf(band.field));
            if (band.nodes)
                writeNodeBand(*m_file, band.field, *band.nodes);
        }
    });
}

namespace {

/// Those that surrogates are compared by, or all others.
std::vector<ErrorFigure> figuresOf(const StudyFile &file, bool areComparisons)
{
    return file.guarded([&] {
        std::vector<ErrorFigure> figures;
        const ReadTransaction together(file);
        TableSum sum;
        for (auto row = file.query(selectAll(SealedTable::errorFigures)); row.step();) {
            if (!isSealed(SealedTable::errorFigures, row))
                file.throwDamaged("the checksum of an error figure does not match");
            sum.add(countOf("error_figures", std::array{row.integer(0), row.integer(10)}));
            if (auto figure = figureOf(file, row); isComparison(figure.kind) == areComparisons)
                figures.push_back(std::move(figure));
        }
        file.requireSum("error_figures", sum);
        return figures;
    });
}

} // namespace

std::vector<ErrorFigure> Study::errorFigures() const
{
    return figuresOf(*m_file, false);
}

std::vector<ErrorFigure> Study::comparisons() const
{
    return figuresOf(*m_file, true);
}

void StudyWriter::removeErrorFigures(FieldIndex field, std::span<const ErrorKind> kinds)
{
    inTransaction(*m_file, [&] {
        for (const auto kind : kinds)
            m_file->query("DELETE FROM error_figures WHERE kind = ? AND field = ?")
                .bind(toString(kind))
                .bind(idOf(field))
                .run();
    });
}

void StudyWriter::putErrorFigures(std::span<const ErrorFigure> figures)
{
    // What is no number is the worst error of all, and readers take finite ones alone.
    const auto number = [](double value) {
        return std::isfinite(value) ? value : std::numeric_limits<double>::max();
    };
    inTransaction(*m_file, [&] {
        for (const auto &figure : figures) {
            static_cast<void>(m_file->field(figure.field));
            removeErrorFigures(figure.field, std::array{figure.kind});
        }
        for (const auto &figure : figures) {
            if (figure.parameters.size() != description().space.parameters().size())
                throw Error("an error figure needs a value of every parameter");
            m_file
                ->query("INSERT INTO error_figures (kind, field, parameters, relative_l2, "
                        "maximum, relative_maximum, grid_points, missing_points, checksum) "
                        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)")
                .bind(toString(figure.kind))
                .bind(idOf(figure.field))
                .bind(std::as_bytes(std::span(figure.parameters)))
                .bind(number(figure.relativeL2))
                .bind(number(figure.maximum))
                .bind(number(figure.relativeMaximum))
                .bind(figure.gridPoints)
                .bind(figure.missingPoints)
                .run();
            sealRow(*m_file, SealedTable::errorFigures, m_file->database().getLastInsertRowid());
        }
    });
}

} // namespace gridhelm::data
