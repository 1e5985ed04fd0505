// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compress/compress_modes.h"

#include "core/modes/modes.h"
#include "data/compress/bulk_write.h"
#include "data/compress/mode_parts.h"
#include "data/compress/node_volumes.h"
#include "data/compress/stored_rows.h"

#include <algorithm>

namespace gridhelm::data {

namespace {

/// Shares of the work, for progress: of the modes, of the coefficients by modes.
constexpr double modesShare = 0.9;

/// A row for each point of the grid, of which some have coefficients.
modes::ModalRows rowsOf(const modes::Projection &projection,
                        const std::vector<std::uint64_t> &points, std::uint64_t gridPoints,
                        const ModeSet &set)
{
    modes::ModalRows rows;
    rows.modes = set.modes();
    rows.coefficients.assign(gridPoints * rows.modes, 0.0F);
    rows.residuals.assign(gridPoints, 0.0F);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double *from = projection.coefficients.data() + i * rows.modes;
        std::transform(from, from + rows.modes, rows.coefficients.data() + points[i] * rows.modes,
                       [](double value) { return static_cast<float>(value); });
        rows.residuals[points[i]] = static_cast<float>(projection.residuals[i] / set.norm);
    }
    return rows;
}

} // namespace

double automaticCut(const Study &study, FieldIndex field)
{
    double squares = 0;
    std::size_t count = 0;
    for (const auto &figure : study.errorFigures()) {
        if (figure.kind != ErrorKind::leaveOneOut || figure.field != field
            || figure.gridPoints != study.grid()->points())
            continue;
        squares += figure.relativeL2 * figure.relativeL2;
        ++count;
    }
    if (count == 0)
        return usualCut;
    constexpr double part = 0.1;
    const double cut = part * part * squares / static_cast<double>(count);
    return std::clamp(cut, modes::smallestCut, usualCut);
}

ModesReport storeModes(StudyWriter &writer, FieldIndex field, const ModesOptions &options)
{
    if (writer.description().kind != StudyKind::vector)
        throw Error(writer.path().string()
                    + " is a scalar study, whose points are single numbers: POD modes are for "
                      "studies whose points are snapshots");
    const auto points = pointsWithCoefficients(writer, field);
    const auto &described = writer.fields().at(field);
    if (points.empty())
        throw Error("field " + described.name
                    + " has no coefficients, so there is nothing to make POD modes of: run the "
                      "jobs and compress the study first");
    const auto weights = weightsOf(writer, field, options.volumes);
    const modes::NodeWeights nodes{weights.values, static_cast<std::size_t>(described.components)};
    modes::ModesOptions how;
    how.cut = options.cut.value_or(automaticCut(writer, field));
    how.cpu = options.cpu;
    how.blockBytes = options.blockBytes;
    double before = 0, share = modesShare;
    how.progress = [&](double done) {
        return !options.progress || options.progress(before + share * done);
    };

    auto &file = writer.file();
    return file.guarded([&] {
        const BulkWrite bulk(file);
        ModesReport report;
        Transaction transaction(file);
        writer.removeModes(field);
        ModeParts parts(writer, field);
        RebuiltSnapshots snapshots(writer, field, points, options.cpu);
        const auto modes = modes::computeModes(
            snapshots, nodes, how, [&](std::size_t first, modes::MatrixView<const float> block) {
                parts.add(first, block);
            });
        report.cancelled = modes.cancelled;
        if (!report.cancelled && modes.count() > 0) {
            const auto set = modeSetOf(modes, weights.areVolumes, how.cut);
            before = modesShare;
            share = 1 - modesShare;
            StoredCoefficients coefficients(writer, field, points);
            StoredModes stored(writer, field, modes.count());
            const auto projection = modes::projectOnModes(coefficients, stored, nodes, how);
            report.cancelled = projection.cancelled;
            if (!report.cancelled)
                writer.setModes(field, set,
                                rowsOf(projection, points, writer.grid()->points(), set));
        }
        if (report.cancelled)
            return report; // what was written is undone
        (modes.count() > 0 ? report.fields : report.zero) += 1;
        transaction.commit();
        return report;
    });
}

ModesReport storeModes(StudyWriter &writer, const ModesOptions &options)
{
    ModesReport report;
    const auto count = writer.fields().size();
    for (FieldIndex field = 0; field < count && !report.cancelled; ++field) {
        auto ofField = options;
        ofField.progress = [&](double done) {
            return !options.progress
                   || options.progress((static_cast<double>(field) + done)
                                       / static_cast<double>(count));
        };
        const auto one = storeModes(writer, field, ofField);
        report.fields += one.fields;
        report.zero += one.zero;
        report.cancelled = one.cancelled;
    }
    return report;
}

} // namespace gridhelm::data
