// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/added_error_step.h"

#include "data/campaign/make_means.h"
#include "data/compress/quantise_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gridhelm::data {

std::optional<double> measuredError(const Study &study, FieldIndex field)
{
    for (const auto kind : {ErrorKind::heldOut, ErrorKind::leaveOneOut}) {
        double squares = 0;
        std::size_t count = 0;
        for (const auto &figure : study.errorFigures()) {
            if (figure.kind != kind || figure.field != field
                || figure.gridPoints != study.grid()->points())
                continue;
            squares += figure.relativeL2 * figure.relativeL2;
            ++count;
        }
        if (count > 0)
            return std::sqrt(squares / static_cast<double>(count));
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
    const auto error = measuredError(study, field);
    if (!error) {
        addNote(report, "field " + study.fields()[field].name
                            + " stays exact, since its error has not been measured yet: half of it "
                              "is taken after that, by the next compress");
        return 0;
    }
    const double half = *error / 2;
    constexpr double most = 0.5;
    return half < smallestAddedError ? 0 : std::min(half, most);
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
    return fmt::format("modes of field {} stay exact, since no number of them is within {:.2g} % "
                       "everywhere",
                       study.fields()[field].name, 100 * allowed);
}

} // namespace gridhelm::data
