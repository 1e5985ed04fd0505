// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/hold_out.h"

#include "core/support/memory_check.h"
#include "core/surrogate/node_scores.h"
#include "data/evaluate/cross_validation.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/error_norms.h"
#include "data/evaluate/field_anywhere.h"
#include "data/evaluate/held_out_run.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/leave_one_out.h"
#include "data/evaluate/present_body.h"
#include "data/evaluate/surrogate_choice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr double shareOfNodes = 0.95; ///< of all hold-outs, that bands of nodes hold for

/// What is measured at hold-outs of a field.
struct HeldOutErrors
{
    std::vector<ErrorFigure> &figures;
    std::optional<Norms> spread; ///< LeftOutErrors::spread()
    std::vector<HeldOutPlace> places;
    NodeScores nodes; ///< of those inside of the ranges
};

/// Adds the error and the indicator over the hold-outs of one run.
void addHeldOut(const Study &study, FieldIndex field, const FieldAnywhere &surrogate,
                const PresentBody &body, const std::vector<HoldOut> &run, HeldOutErrors &errors)
{
    std::vector<float> indicator(study.fields()[field].values());
    Norms estimate, everywhere; // the indicator also outside of a body
    double number = 0;
    const auto evaluate = [&](std::span<const double> parameters, std::span<float> values) {
        surrogate.evaluate(parameters, {values, indicator});
        everywhere += normsOf(indicator);
        number += static_cast<double>(values.size());
    };
    const auto see = [&](const HoldOut &holdOut, std::span<float> error, std::span<float> exact) {
        if (body.matters(field))
            body.keepAt(holdOut, {error, exact, indicator});
        else if (!isAtEdge(placeOfRun(study.description().space, holdOut.parameters)))
            errors.nodes.add(error, indicator, study.fields()[field].components);
        estimate += normsOf(indicator);
    };
    auto of = heldOutRun(study, field, run, evaluate, see);
    if (of.worst.empty())
        return;
    const double scale = study.fields()[field].scale;
    if (errors.spread) // at each of the run's times
        of.reference = {errors.spread->l2 * number / static_cast<double>(indicator.size()),
                        errors.spread->maximum};
    errors.figures.push_back(
        figureOf(ErrorKind::indicator, field, of.worst, estimate, of.reference, scale));
    errors.figures.push_back(
        figureOf(ErrorKind::heldOut, field, of.worst, of.difference, of.reference, scale));
    errors.places.push_back(
        {of.worst,
         {std::sqrt(of.difference.l2 / number), std::sqrt(everywhere.l2 / number)},
         errors.figures.back().relativeL2});
}

} // namespace

Measured measureErrors(const Study &study, const ExecutionContext &context,
                       const std::stop_token &stop,
                       const std::shared_ptr<const sparse::Backend> &backend)
{
    Measured measured;
    auto &figures = measured.figures;
    const auto runs = runsOf(study.holdOuts(), study);
    const PresentBody body(study, context, backend);
    const auto grid = study.grid();
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        const auto first = figures.size();
        const auto count = study.fields()[field].values();
        requireMemory(5.0 * sizeof(float) * static_cast<double>(count),
                      "measuring the errors of field " + study.fields()[field].name,
                      "close other programs");
        const FieldAnywhere surrogate(study, field, context, backend);
        const LeftOutErrors leftOut(study, field, surrogate, body);
        const auto kriging = study.kriging(field);
        const bool canCrossValidate =
            kriging && study.description().design == StudyDesign::scattered && !body.matters(field);
        std::optional<FieldBand> band;
        if (!runs.empty() || canCrossValidate) {
            const BandCalibration calibration(study, field, surrogate);
            HeldOutErrors errors{figures, leftOut.spread(), {}, NodeScores(calibration.floor())};
            for (const auto &run : runs) {
                if (stop.stop_requested())
                    return measured;
                addHeldOut(study, field, surrogate, body, run, errors);
            }
            band = calibration.band(errors.places);
            if (band)
                band->nodes = errors.nodes.band(shareOfNodes);
            else if (canCrossValidate)
                band = calibration.crossValidated(crossValidate(
                    study, field, *kriging, surrogate, calibration.floor(), context, stop));
            if (stop.stop_requested())
                return measured;
        }
        if (kriging) {
            std::vector<std::size_t> all(kriging->model.runs);
            std::iota(all.begin(), all.end(), std::size_t{0});
            leftOut.addKriging(ErrorKind::leaveOneOut, *kriging, kriging->leaveOneOut, all, figures,
                               stop);
        } else if (study.description().kind == StudyKind::vector
                   && study.description().design == StudyDesign::grid) {
            leftOut.addSparseGrid(ErrorKind::leaveOneOut, pointsLeftOut(*grid), itsRun(*grid),
                                  figures, stop);
        }
        const auto missing = missingRuns(study, field);
        for (auto i = first; i < figures.size(); ++i) {
            figures[i].gridPoints = study.grid()->points();
            figures[i].missingPoints = missing;
        }
        if (band) {
            band->gridPoints = study.grid()->points();
            band->missingPoints = missing;
            measured.bands.push_back(*band);
        }
        measured.computedOn |= surrogate.computedOn();
    }
    return measured;
}

std::uint64_t finishedRuns(const Study &study)
{
    const auto jobs = study.jobs();
    bool isKriged = false; // the grid alone knows nothing of training runs
    for (FieldIndex field = 0; field < study.fields().size(); ++field)
        isKriged = isKriged || study.kriging(field) || choiceOf(study, field);
    return static_cast<std::uint64_t>(std::ranges::count(jobs, JobState::done, &Job::state))
           + (isKriged ? study.trainingRuns().size() : 0);
}

std::vector<ErrorThen> historyOf(const Study &study, const std::vector<ErrorFigure> &figures)
{
    std::vector<ErrorThen> history;
    const auto runs = finishedRuns(study);
    const auto add = [&](FieldIndex field, ErrorKind of, HistoryKind kind) {
        double squares = 0, number = 0;
        for (const auto &figure : figures) {
            if (figure.field != field || figure.kind != of
                || (of == ErrorKind::heldOut
                    && isAtEdge(placeOfRun(study.description().space, figure.parameters))))
                continue;
            squares += figure.relativeL2 * figure.relativeL2;
            ++number;
        }
        if (number > 0)
            history.push_back({field, kind, runs, std::sqrt(squares / number)});
    };
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        add(field, ErrorKind::heldOut, HistoryKind::heldOut);
        add(field, ErrorKind::leaveOneOut, HistoryKind::leaveOneOut);
    }
    return history;
}

std::optional<ComputedOn> storeErrors(StudyWriter &writer, const ExecutionContext &context,
                                      const std::stop_token &stop,
                                      const std::shared_ptr<const sparse::Backend> &backend)
{
    const auto measured = measureErrors(writer, context, stop, backend);
    if (stop.stop_requested())
        return std::nullopt;
    auto transaction = writer.transaction();
    writer.putErrorFigures(measured.figures);
    writer.putErrorBands(measured.bands);
    writer.addToErrorHistory(historyOf(writer, measured.figures));
    transaction.commit();
    return measured.computedOn;
}

std::vector<ErrorSummary> summarize(const std::vector<ErrorFigure> &figures)
{
    std::map<std::pair<FieldIndex, ErrorKind>, ErrorSummary> summaries;
    for (const auto &figure : figures) {
        auto &summary = summaries[{figure.field, figure.kind}];
        if (summary.places == 0 || figure.relativeL2 > summary.largestRelativeL2) {
            summary.largestRelativeL2 = figure.relativeL2;
            summary.worstParameters = figure.parameters;
        }
        summary.kind = figure.kind;
        summary.field = figure.field;
        ++summary.places;
        summary.meanRelativeL2 += figure.relativeL2 * figure.relativeL2;
        summary.maximum = std::max(summary.maximum, figure.maximum);
        summary.gridPoints = figure.gridPoints;
        summary.missingPoints = figure.missingPoints;
    }
    std::vector<ErrorSummary> result;
    for (auto &[key, summary] : summaries) {
        summary.meanRelativeL2 =
            std::sqrt(summary.meanRelativeL2 / static_cast<double>(summary.places));
        result.push_back(summary);
    }
    return result;
}

} // namespace gridhelm::data
