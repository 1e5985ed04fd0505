// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/campaign_text.h"

#include "core/support/bytes_text.h"
#include "core/support/clean_text.h"
#include "data/evaluate/accuracy.h"
#include "data/evaluate/degree_choice.h"
#include "data/evaluate/surrogate_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace gridhelm::data {

std::string progressText(std::string_view what, const CampaignProgress &progress)
{
    auto text = fmt::format("{} {} of {}", what, progress.done, progress.total);
    if (progress.failed > 0)
        text += fmt::format(", {} failed", progress.failed);
    if (progress.secondsRemaining >= 0 && progress.done < progress.total)
        text += fmt::format(", about {} remaining", durationText(progress.secondsRemaining));
    return text;
}

std::string costText(const PlanCost &cost)
{
    auto text = cost.isScattered ? countText(cost.jobs, "run")
                                 : fmt::format("{}, {}", countText(cost.points, "point"),
                                               countText(cost.jobs, "job"));
    if (cost.bytes > 0)
        text += fmt::format(", about {}", bytesText(cost.bytes));
    return text;
}

std::string compressText(const CompressReport &report)
{
    auto text = fmt::format("{} computed", countText(report.computed, "coefficient row"));
    if (report.recomputed > 0)
        text += fmt::format(", {} again", report.recomputed);
    return text;
}

std::string importText(const ImportReport &report)
{
    return fmt::format("{} for grid points, {} off the grid ({}), {} there already",
                       countText(report.stored, "snapshot"), report.holdOuts + report.trainingRuns,
                       report.trainingRuns > 0 ? "to fit kriging to" : "validation points",
                       report.alreadyThere);
}

std::vector<std::string> errorNotes(const ErrorSummary &summary, std::string_view field,
                                    std::uint64_t gridPoints, std::string_view doubt)
{
    std::vector<std::string> notes;
    if (summary.missingPoints > 0)
        notes.push_back(fmt::format("{} of {}: {} of {} grid points were MISSING when it was "
                                    "measured",
                                    shownName(summary.kind), field, summary.missingPoints,
                                    summary.gridPoints));
    if (summary.gridPoints != gridPoints)
        notes.push_back(fmt::format("{} of {}: measured with {} grid points, now there are {}; "
                                    "compress again",
                                    shownName(summary.kind), field, summary.gridPoints,
                                    gridPoints));
    if (summary.kind == ErrorKind::leaveOneOut && !doubt.empty())
        notes.push_back(fmt::format("{} of {}: {}", shownName(summary.kind), field, doubt));
    return notes;
}

namespace {

/// Whether in a direction without points at its ends no run of the model lies there, either.
bool isExtrapolated(const ParameterSpace &space, const kriging::Model &model)
{
    constexpr double near = 1e-3; // of the range
    const auto dimension = static_cast<std::size_t>(model.dimension);
    for (std::size_t t = 0; t < dimension; ++t) {
        if (space[t].usedTreatment() != sparse::BoundaryTreatment::modified)
            continue;
        double low = 1, high = 0;
        for (std::size_t run = 0; run < model.runs; ++run) {
            const double x = model.places[run * dimension + t];
            low = std::min(low, x);
            high = std::max(high, x);
        }
        if (low > near || high < 1 - near)
            return true;
    }
    return false;
}

} // namespace

std::string leaveOneOutDoubt(const Study &study, FieldIndex field)
{
    const auto &description = study.description();
    if (description.design != StudyDesign::grid)
        return {};
    const auto kriging = study.kriging(field);
    if (!kriging || !isExtrapolated(description.space, kriging->model))
        return {};
    return "TOO SMALL, by a factor of 4.5 in the median of 24 studies on such grids, for no run "
           "lies at the ends of the ranges (boundary basis modified), where the error is largest: "
           "judge by validation points";
}

std::vector<std::string> holdOutNotes(const HoldOutCoverage &coverage)
{
    std::vector<std::string> notes;
    if (coverage.missing > 0)
        notes.push_back(fmt::format(
            "{} of {} are MISSING, for their runs failed or were not begun: the errors there are "
            "unknown",
            coverage.missing, countText(coverage.there + coverage.missing, "validation point")));
    if (coverage.there > 0 && coverage.inside == 0)
        notes.push_back("all validation points lie in corners or faces of the ranges: the error "
                        "inside was NOT measured");
    return notes;
}

namespace {

std::string pictureText(const QuantisedModes &of)
{
    return fmt::format("quantised, {} for a picture, which adds at most {:.2g} % at its snapshots "
                       "and validation points",
                       bytesText(static_cast<double>(of.frameBytes)), 100 * of.allowed);
}

std::string bitsText(const QuantisedModes &of)
{
    return fmt::format("; {}: {:.2g} % at {}, {:.2g} % at {}", pictureText(of),
                       100 * of.atSnapshots, countText(of.snapshots, "snapshot"),
                       100 * of.atHoldOuts, countText(of.holdOuts, "validation point"));
}

} // namespace

std::string modesText(const ModeSet &set, std::string_view field)
{
    const auto bits = set.quantised ? bitsText(*set.quantised) : std::string();
    return fmt::format(
        "{} of {} for {} ({}), with all but {:.2g} of the energy; they change the snapshots by "
        "{:.2g} % in the mean, {:.2g} % at most ({:.2g} % at a single value), which validation "
        "errors contain, leave-one-out errors of a sparse grid do not{}",
        countText(set.modes(), "POD mode"), field, countText(set.snapshots, "snapshot"),
        set.byVolumes ? "cell volumes as weights" : "all nodes weigh the same", set.cutEnergy,
        100 * set.meanError, 100 * set.largestError, 100 * set.largestDifference, bits);
}

std::string quantisedRowsText(const QuantisedCoefficients &rows, std::string_view field)
{
    return fmt::format(
        "coefficients of {} ({}){}; validation errors contain that, leave-one-out errors do not",
        field, rows.byVolumes ? "cell volumes as weights" : "all nodes weigh the same",
        bitsText(rows.bits));
}

namespace {

std::string formText(const Study &study, FieldIndex field)
{
    if (const auto kriging = study.kriging(field)) {
        const auto form = kriging->model.mainForm();
        return fmt::format(
            "kriging of {} from {}, {}{}, mean {}, parameters {}",
            countText(kriging->model.outputs(), "POD mode"), countText(kriging->model.runs, "run"),
            kriging->model.hasOneForm() ? "" : "mostly ", kriging::nameOf(form.smoothness),
            form.linear.empty() ? "constant" : "linear", form.isWarped ? "warped" : "as they are");
    }
    const auto degrees = study.description().space.degrees();
    const auto [least, most] = std::ranges::minmax(degrees);
    return least == most ? fmt::format("sparse grid, degree {}", most)
                         : fmt::format("sparse grid, degrees {} to {}", least, most);
}

} // namespace

std::string surrogateText(const Study &study, FieldIndex field)
{
    const auto text = formText(study, field);
    if (const auto rows = study.quantisedCoefficients(field))
        return fmt::format("{}, coefficients {}", text, pictureText(rows->bits));
    const auto set = study.modeSet(field);
    if (!set || !set->quantised)
        return text;
    return fmt::format("{}, {} {}", text, countText(set->modes(), "POD mode"),
                       pictureText(*set->quantised));
}

namespace {

/// Of a sparse grid whose degree was chosen: "; degree 3 by 0.9, 0.5 and 0.4 % of degrees 1, 2 and
/// 3".
std::string degreeText(const Study &study, const SurrogateChoice &choice)
{
    const auto &space = study.description().space;
    const auto &errors = choice.degrees;
    for (int degree = 1; degree <= static_cast<int>(errors.size()); ++degree) {
        if (errors.front() && errors[1] && errors.back()
            && space.degrees() == degreesOf(space, degree))
            return fmt::format("; degree {} by {:.2g}, {:.2g} and {:.2g} % of degrees 1, 2 and 3",
                               degree, 100 * *errors[0], 100 * *errors[1], 100 * *errors[2]);
    }
    return {};
}

/// What hold-outs have to say to it, if they contradict: "; taken all the same ...", "; BUT ...".
std::string heldOutText(const Study &study, FieldIndex field, const SurrogateChoice &choice)
{
    const auto other = choice.isKriging ? "the sparse grid" : "kriging";
    const auto own = choice.ownHeldOut(), others = choice.otherHeldOut();
    if (choice.isTakenBack)
        return fmt::format("; taken all the same, for {} is {:.2g} % off at {} in the mean, beside "
                           "{:.2g} %",
                           other, 100 * *others, countText(choice.holdOuts, "validation point"),
                           100 * *own);
    if (isInDoubt(choice, study, field))
        return "; BUT validation points contradict: compress again to compare both there";
    if (!own || !isContradicted(choice, *own))
        return {};
    return fmt::format("; BUT {:.2g} % off at {} in the mean, where {} is {:.2g} % off", 100 * *own,
                       countText(choice.holdOuts, "validation point"), other,
                       100 * others.value_or(0));
}

} // namespace

std::string choiceText(const Study &study, FieldIndex field)
{
    const auto choice = choiceOf(study, field);
    if (study.description().kind == StudyKind::scalar
        || study.description().design == StudyDesign::scattered)
        return {};
    if (!choice)
        return study.kriging(field) ? "chosen by hand" : "";
    if (!isUpToDate(*choice, study, field))
        return "to be chosen again: compress";
    if (choice->missingPoints > 0 && choice->isKriging && !std::isfinite(choice->sparseGrid))
        return fmt::format("chosen: {} without coefficients, which {} no obstacle to it",
                           countText(choice->missingPoints, "point"),
                           choice->missingPoints == 1 ? "is" : "are");
    if (!choice->kriging)
        return "chosen: without the finest runs there are too few to compare it by";
    if (!std::isfinite(*choice->kriging))
        return "chosen: kriging needs more runs";
    return fmt::format("chosen: {:.2g} % off at {} {}, beside {:.2g} % of {}{}{}",
                       100 * choice->own(), countText(choice->places, "snapshot"),
                       choice->isOffGrid ? "of runs off the grid, each without itself"
                                         : "of the finest runs without these",
                       100 * choice->other(), choice->isKriging ? "the sparse grid" : "kriging",
                       choice->isKriging ? "" : degreeText(study, *choice),
                       heldOutText(study, field, *choice));
}

std::string accuraciesText(const Study &study)
{
    std::string text;
    const auto figures = study.errorFigures();
    for (FieldIndex field = 0; field < study.fields().size(); ++field)
        if (const auto accuracy = accuracyOf(study, figures, field))
            text += (text.empty() ? "accuracy: " : "; ")
                    + accuracyText(*accuracy, study.fields()[field]);
    return text;
}

std::string stoppedText(const CampaignReport &report, std::string_view noun)
{
    return fmt::format("{} in a row failed alike ({}), so {} more {} not begun",
                       countText(failuresToStop, noun), report.firstFailure, report.notBegun,
                       report.notBegun == 1 ? "was" : "were");
}

std::string durationText(double seconds)
{
    const auto whole = static_cast<long long>(std::max(0.0, std::min(seconds, 1e12)) + 0.5);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

std::string bandSentence(const FieldBand &band, const std::string &field)
{
    const auto basis = band.band.isCrossValidated()
                           ? std::string("cross-validated: each tenth of its runs by all others")
                           : fmt::format("calibrated at {} inside the ranges",
                                         countText(band.band.holdOuts, "validation point"));
    auto text =
        fmt::format("{}: error bounds hold for {} of parameters, {:.2g} % in the median ({})",
                    field, coverageText(band.band), 100 * band.typical, basis);
    if (band.edges > 0)
        text += fmt::format("; corners and faces are not included: up to {:.2g} % at {}",
                            100 * band.worstEdge, countText(band.edges, "validation point"));
    return text;
}

std::string undoneText(const Growth &growth)
{
    return fmt::format("{} and {} removed, back at level {}", countText(growth.points, "point"),
                       countText(growth.jobs, "job"), growth.level);
}

} // namespace gridhelm::data
