// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/added_error_step.h"

#include "data/campaign/make_means.h"
#include "data/compress/quantise_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace gridhelm::data {

namespace {

/// Sums of squares of the snapshots at which the errors of a kind were measured.
class SquaresOfSnapshots
{
public:
    SquaresOfSnapshots(const Study &study, FieldIndex field, ErrorKind kind)
        : m_study(study)
        , m_field(field)
        , m_values(study.fields()[field].values())
    {
        const bool areHeldOut = kind == ErrorKind::heldOut;
        for (const auto &run : areHeldOut ? study.holdOuts() : study.trainingRuns())
            m_runs[run.parameters] = run.id;
        if (areHeldOut)
            return;
        const auto isThere = study.pointsWithSnapshots(field);
        for (std::uint64_t point = 0; point < isThere.size(); ++point)
            if (isThere[point])
                m_points[study.description().space.valuesAt(*study.grid(), point)] = point;
    }

    /// None: the snapshot was dropped.
    std::optional<double> at(const std::vector<double> &parameters)
    {
        const auto run = m_runs.find(parameters);
        const auto point = m_points.find(parameters);
        const bool isThere =
            run != m_runs.end()
                ? m_study.readHoldOut(run->second, m_field, m_values)
                : point != m_points.end() && m_study.readSnapshot(point->second, m_field, m_values);
        if (!isThere)
            return std::nullopt;
        double sum = 0;
        for (const float value : m_values)
            sum += static_cast<double>(value) * static_cast<double>(value);
        return sum;
    }

private:
    const Study &m_study;
    FieldIndex m_field;
    std::vector<float> m_values;
    std::map<std::vector<double>, std::int64_t> m_runs;
    std::map<std::vector<double>, std::uint64_t> m_points;
};

} // namespace

std::optional<double> errorToHalve(const Study &study, FieldIndex field)
{
    for (const auto kind : {ErrorKind::heldOut, ErrorKind::leaveOneOut}) {
        std::optional<SquaresOfSnapshots> snapshots;
        double errors = 0, squares = 0, inverses = 0;
        double count = 0, known = 0;
        for (const auto &figure : study.errorFigures()) {
            if (figure.kind != kind || figure.field != field
                || figure.gridPoints != study.grid()->points())
                continue;
            if (!snapshots)
                snapshots.emplace(study, field, kind);
            const auto square = snapshots->at(figure.parameters);
            if (square && !(*square > 0))
                continue; // of nothing no share can be said: this error is an absolute one
            errors += figure.relativeL2 * figure.relativeL2;
            ++count;
            if (!square)
                continue;
            squares += *square;
            inverses += 1 / *square;
            ++known;
        }
        if (count > 0)
            return std::sqrt(errors / count)
                   * (known > 0 ? known / std::sqrt(squares * inverses) : 1);
    }
    return std::nullopt;
}

namespace {

QuantiseOptions optionsOf(double allowed, const CompressStep &step, const StepControl &control,
                          const std::function<bool(double)> &progress)
{
    QuantiseOptions options;
    options.allowed = allowed;
    options.volumes = control.files.volumes;
    options.cpu = step.context.cpu();
    options.progress = progress;
    return options;
}

} // namespace

double allowedError(const Study &study, FieldIndex field, const AddedErrorStep &step,
                    CompressStepReport &report)
{
    if (!step.isHalf)
        return step.allowed;
    const auto error = errorToHalve(study, field);
    if (!error) {
        addNote(report, "field " + study.fields()[field].name
                            + " stays exact, since its error has not been measured yet: half of it "
                              "is taken after that, by the next compress");
        return 0;
    }
    const double half = *error / 2;
    constexpr double most = 0.25;
    if (half > most) {
        addNote(report, fmt::format("field {} stays exact: half of its error would be {:.2g} %, by "
                                    "which pictures would be changed beyond recognition; find out "
                                    "why the error is so large, or name one that may be added",
                                    study.fields()[field].name, 100 * half));
        return 0;
    }
    return half < smallestAddedError ? 0 : half;
}

bool quantise(StudyWriter &writer, FieldIndex field, double allowed, const CompressStep &step,
              const StepControl &control, const std::function<bool(double)> &progress,
              bool &isQuantised)
{
    const auto report = quantiseModes(writer, field, optionsOf(allowed, step, control, progress));
    isQuantised = report.isQuantised;
    return !report.cancelled;
}

bool chooseForm(StudyWriter &writer, FieldIndex field, double allowed, bool isQuantised,
                const CompressStep &step, const StepControl &control,
                const std::function<bool(double)> &progress, FormChoice &choice)
{
    const auto set = writer.modeSet(field).value();
    choice.rows = floatPictureBytes(writer, field);
    choice.taken = isQuantised ? RowForm::fewBitModes : RowForm::modes;
    const auto ofValues = static_cast<double>(writer.fields()[field].values()) * sizeof(float);
    choice.fewBitModes = isQuantised ? static_cast<double>(set.quantised->frameBytes) : 0;
    choice.modes = isQuantised ? 0 : static_cast<double>(set.modes()) * ofValues;
    const double modes = isQuantised ? codeCost * choice.fewBitModes : choice.modes;
    const double least = std::min(modes, choice.rows);
    const auto report =
        quantiseRows(writer, field, optionsOf(allowed, step, control, progress), least / codeCost);
    choice.fewBitRows = report.pictureBytes;
    if (report.cancelled)
        return false;
    if (report.isQuantised) {
        choice.taken = RowForm::fewBitRows;
    } else if (choice.rows < modes) {
        choice.taken = RowForm::rows;
        writer.removeModes(field);
    }
    return true;
}

std::string staysExact(const Study &study, FieldIndex field, double allowed)
{
    return fmt::format(
        "POD modes of field {} stay exact, since no number of them is within {:.2g} % everywhere",
        study.fields()[field].name, 100 * allowed);
}

} // namespace gridhelm::data
