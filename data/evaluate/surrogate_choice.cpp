// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/surrogate_choice.h"

#include "core/kriging/groups_left_out.h"
#include "core/support/memory_check.h"
#include "data/evaluate/held_out_run.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/leave_one_out.h"
#include "data/evaluate/older_half.h"
#include "data/evaluate/stored_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr std::size_t enoughOffGrid = 5; ///< simulations to judge by

constexpr double impossible = std::numeric_limits<double>::max(); ///< a file has finite ones alone

/// Of errors that may be infinite.
struct Mean
{
    double sum = 0;
    std::size_t count = 0;

    void add(double value)
    {
        sum += value < impossible ? value : std::numeric_limits<double>::infinity();
        ++count;
    }
    std::optional<double> value() const
    {
        return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
    }
};

/// A figure without a comparison: this kind of surrogate is not possible.
ErrorFigure impossibleFigure(const Study &study, FieldIndex field, ErrorKind kind,
                             std::uint64_t point)
{
    ErrorFigure figure;
    figure.kind = kind;
    figure.field = field;
    figure.parameters = study.description().space.valuesAt(*study.grid(), point);
    figure.relativeL2 = figure.maximum = figure.relativeMaximum = impossible;
    return figure;
}

std::vector<std::uint64_t> pointsWithoutCoefficients(const Study &study, FieldIndex field)
{
    const auto states = study.coefficientStates(field);
    std::vector<std::uint64_t> points;
    for (std::uint64_t point = 0; point < states.size(); ++point)
        if (states[point] != CoefficientState::final)
            points.push_back(point);
    return points;
}

/// The place of one of kriging's runs, but for the time.
std::vector<double> simulationOf(const ParameterSpace &space, const kriging::Model &model,
                                 std::size_t run)
{
    const auto d = static_cast<std::size_t>(model.dimension);
    const auto from = model.places.begin() + static_cast<std::ptrdiff_t>(run * d);
    std::vector<double> place(from, from + static_cast<std::ptrdiff_t>(d));
    if (const auto time = space.timeLike())
        place[*time] = 0;
    return place;
}

/// Kriging's runs off the grid where they are enough to compare by; else none.
std::vector<std::size_t> runsOffGrid(const ParameterSpace &space, const FieldKriging &kriging)
{
    std::set<std::vector<double>> simulations;
    std::vector<std::size_t> runs;
    for (auto run = kriging.points.size(); run < kriging.model.runs; ++run) {
        simulations.insert(simulationOf(space, kriging.model, run));
        runs.push_back(run);
    }
    return simulations.size() < enoughOffGrid ? std::vector<std::size_t>() : runs;
}

/// Kriging's runs with their part in a comparison.
struct FinestRuns
{
    std::vector<std::size_t> groupOf;  ///< for kriging::leaveGroupsOut(): the finest are one group
    std::vector<std::size_t> compared; ///< those of the points that are compared, by kriging's runs
    std::vector<std::uint64_t> points; ///< and by the grid's
    bool areOthersEnough = false;      ///< to predict from
};

FinestRuns finestRuns(const Study &study, const FieldKriging &kriging)
{
    const auto grid = study.grid();
    const auto &space = study.description().space;
    const auto isFinest = finestPoints(*grid);
    const auto compared = finestPointsLeftOut(*grid);
    FinestRuns runs;
    std::set<std::vector<double>> others; // simulations: places but for the time
    const auto d = static_cast<std::size_t>(kriging.model.dimension);
    for (std::size_t run = 0; run < kriging.model.runs; ++run) {
        const bool isPoint = run < kriging.points.size();
        const bool isLeftOut = isPoint && isFinest[kriging.points[run]];
        runs.groupOf.push_back(isLeftOut ? 0 : run + 1);
        if (!isLeftOut) {
            others.insert(simulationOf(space, kriging.model, run));
        } else if (std::ranges::binary_search(compared, kriging.points[run])) {
            runs.compared.push_back(run);
            runs.points.push_back(kriging.points[run]);
        }
    }
    // A linear mean has a term for each parameter and one more; there should be something besides.
    runs.areOthersEnough = others.size() > d + 1;
    return runs;
}

void compareAtFinestRuns(const Study &study, const LeftOutErrors &leftOut,
                         const FieldKriging &kriging, const ExecutionContext &context,
                         std::vector<ErrorFigure> &figures, const std::stop_token &stop)
{
    const auto runs = finestRuns(study, kriging);
    const auto isFinest = finestPoints(*study.grid());
    leftOut.addSparseGrid(
        ErrorKind::sparseGridCompared, runs.points,
        [&](std::uint64_t below, std::uint64_t) { return isFinest[below]; }, figures, stop);
    if (runs.areOthersEnough && !runs.compared.empty())
        leftOut.addKriging(ErrorKind::krigingCompared, kriging,
                           kriging::leaveGroupsOut(kriging.model, runs.groupOf, context),
                           runs.compared, figures, stop);
}

/// The bar is high, so that hold-outs, which are what is reported, choose between two surrogates
/// where one of them is off the mark, and nowhere else.
bool isTakenBack(const SurrogateChoice &choice)
{
    constexpr double muchBetter = 2;
    const auto own = choice.ownHeldOut(), other = choice.otherHeldOut();
    return own && other && isContradicted(choice, *own) && muchBetter * *other < *own;
}

} // namespace

std::optional<SurrogateChoice> choiceOf(const Study &study, FieldIndex field)
{
    SurrogateChoice choice;
    Mean sparseGrid, kriging, olderHalf, sparseGridHeldOut, krigingHeldOut;
    std::array<Mean, 3> degrees;
    std::vector<double> comparedAt;
    for (const auto &figure : study.comparisons()) {
        if (figure.field != field)
            continue;
        switch (figure.kind) {
        case ErrorKind::sparseGridCompared:
            sparseGrid.add(figure.relativeL2);
            break;
        case ErrorKind::krigingCompared:
            kriging.add(figure.relativeL2);
            comparedAt = figure.parameters;
            break;
        case ErrorKind::olderHalfCompared:
            olderHalf.add(figure.relativeL2);
            choice.olderPoints = figure.gridPoints;
            continue;
        case ErrorKind::sparseGridHeldOut:
            sparseGridHeldOut.add(figure.relativeL2);
            continue;
        case ErrorKind::krigingHeldOut:
            krigingHeldOut.add(figure.relativeL2);
            continue;
        case ErrorKind::degree1Compared:
        case ErrorKind::degree2Compared:
        case ErrorKind::degree3Compared:
            degrees[static_cast<std::size_t>(figure.kind)
                    - static_cast<std::size_t>(ErrorKind::degree1Compared)]
                .add(figure.relativeL2);
            continue;
        default:
            continue;
        }
        choice.gridPoints = figure.gridPoints;
        choice.missingPoints = figure.missingPoints;
    }
    if (sparseGrid.count + kriging.count == 0)
        return std::nullopt;
    const auto others = study.trainingRuns();
    choice.isOffGrid = std::ranges::find(others, comparedAt, &HoldOut::parameters) != others.end();
    choice.places = std::max(sparseGrid.count, kriging.count);
    choice.sparseGrid = sparseGrid.value().value_or(0);
    choice.kriging = kriging.value();
    choice.olderHalf = olderHalf.value();
    choice.isKriging = !choice.kriging || *choice.kriging < choice.sparseGrid;
    for (std::size_t i = 0; i < degrees.size(); ++i)
        choice.degrees[i] = degrees[i].value();
    choice.sparseGridHeldOut = sparseGridHeldOut.value();
    choice.krigingHeldOut = krigingHeldOut.value();
    choice.holdOuts = std::max(sparseGridHeldOut.count, krigingHeldOut.count);
    choice.isTakenBack = isTakenBack(choice);
    choice.isKriging = choice.isKriging != choice.isTakenBack;
    return choice;
}

bool isContradicted(const SurrogateChoice &choice, double heldOut)
{
    constexpr double tooMuch = 3, least = 1e-6; // below, single precision is what differs
    return choice.areBothPossible() && heldOut > tooMuch * std::max(choice.own(), least);
}

bool isInDoubt(const SurrogateChoice &choice, const Study &study, FieldIndex field)
{
    Mean heldOut;
    for (const auto &figure : study.errorFigures())
        if (figure.kind == ErrorKind::heldOut && figure.field == field)
            heldOut.add(figure.relativeL2);
    double added = 0;
    if (const auto set = study.modeSet(field))
        added = set->quantised ? set->quantised->allowed + set->meanError : set->largestError;
    if (const auto rows = study.quantisedCoefficients(field))
        added += rows->bits.allowed;
    return heldOut.count > 0 && heldOut.count != choice.holdOuts
           && isContradicted(choice, *heldOut.value() - added);
}

bool isUpToDate(const SurrogateChoice &choice, const Study &study, FieldIndex field)
{
    return choice.gridPoints == study.grid()->points()
           && choice.missingPoints == pointsWithoutCoefficients(study, field).size()
           && choice.isKriging == (study.kriging(field) != nullptr);
}

std::vector<ErrorFigure> compareSurrogates(const Study &study, FieldIndex field,
                                           const ExecutionContext &context,
                                           const std::stop_token &stop)
{
    std::vector<ErrorFigure> figures;
    const auto without = pointsWithoutCoefficients(study, field);
    const auto kriging = study.kriging(field);
    const auto offGrid =
        kriging ? runsOffGrid(study.description().space, *kriging) : std::vector<std::size_t>();
    std::vector<bool> older;
    if (!without.empty() && offGrid.empty())
        figures.push_back(
            impossibleFigure(study, field, ErrorKind::sparseGridCompared, without.front()));
    if (!kriging)
        figures.push_back(impossibleFigure(study, field, ErrorKind::krigingCompared, 0));
    if (figures.empty()) {
        requireMemory(5.0 * sizeof(float) * static_cast<double>(study.fields()[field].values()),
                      "comparing the surrogates of field " + study.fields()[field].name,
                      "close other programs");
        const FieldAnywhere surrogate(study, field, context);
        const PresentBody body(study, context);
        const LeftOutErrors leftOut(study, field, surrogate, body);
        if (offGrid.empty()) {
            compareAtFinestRuns(study, leftOut, *kriging, context, figures, stop);
        } else {
            leftOut.addSparseGridAt(ErrorKind::sparseGridCompared, {}, *kriging, offGrid, figures,
                                    stop);
            if (!study.description().space.timeLike()) {
                older = olderHalf(study);
                leftOut.addSparseGridAt(ErrorKind::olderHalfCompared, older, *kriging, offGrid,
                                        figures, stop);
            }
            leftOut.addKriging(ErrorKind::krigingCompared, *kriging, kriging->leaveOneOut, offGrid,
                               figures, stop);
        }
    }
    for (auto &figure : figures) {
        figure.gridPoints = figure.kind == ErrorKind::olderHalfCompared
                                ? static_cast<std::uint64_t>(std::ranges::count(older, true))
                                : study.grid()->points();
        figure.missingPoints = without.size();
    }
    return figures;
}

std::vector<ErrorFigure> compareAtHoldOuts(const Study &study, FieldIndex field, bool isKriging,
                                           const ExecutionContext &context,
                                           const std::stop_token &stop)
{
    const PresentBody body(study, context);
    std::optional<FieldAnywhere> kriged;
    std::optional<StoredGrid> grid;
    if (isKriging)
        kriged.emplace(study, field, context);
    else
        grid.emplace(study, field);
    const auto evaluate = [&](std::span<const double> parameters, std::span<float> values) {
        if (kriged)
            kriged->evaluate(parameters, {values, {}});
        else
            grid->evaluate(study.description().space.toUnit(parameters), values);
    };
    const auto see = [&](const HoldOut &holdOut, std::span<float> error, std::span<float> exact) {
        if (body.matters(field))
            body.keepAt(holdOut, {error, exact});
    };
    const auto kind = isKriging ? ErrorKind::krigingHeldOut : ErrorKind::sparseGridHeldOut;
    std::vector<ErrorFigure> figures;
    for (const auto &run : runsOf(study.holdOuts(), study)) {
        if (stop.stop_requested())
            return figures;
        const auto of = heldOutRun(study, field, run, evaluate, see);
        if (of.worst.empty())
            continue;
        const bool isShare = of.reference.l2 > 0;
        figures.push_back(figureOf(kind, field, of.worst, isShare ? of.difference : Norms{},
                                   of.reference, study.fields()[field].scale));
        figures.back().gridPoints = study.grid()->points();
    }
    return figures;
}

} // namespace gridhelm::data
