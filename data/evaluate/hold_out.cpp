// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/hold_out.h"

#include "core/sparse/error_estimates.h"
#include "core/sparse/growth.h"
#include "core/support/memory_check.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/field_anywhere.h"
#include "data/evaluate/hold_out_places.h"
#include "data/evaluate/study_surrogate.h"
#include "data/study/geometry_fields.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace gridhelm::data {

namespace {

struct Norms
{
    double l2 = 0; ///< not yet a root
    double maximum = 0;

    Norms &operator+=(const Norms &other)
    {
        l2 += other.l2;
        maximum = std::max(maximum, other.maximum);
        return *this;
    }
};

Norms normsOf(std::span<const float> values)
{
    Norms norms;
    for (float value : values) {
        const auto magnitude = std::abs(static_cast<double>(value));
        norms.l2 += magnitude * magnitude;
        norms.maximum = std::max(norms.maximum, magnitude);
    }
    return norms;
}

/// A difference relative to a reference; absolute if that is zero (ARCHITECTURE.md,
/// Eq. 19).
ErrorFigure figureOf(ErrorKind kind, FieldIndex field, std::vector<double> parameters,
                     const Norms &difference, const Norms &reference)
{
    ErrorFigure figure;
    figure.kind = kind;
    figure.field = field;
    figure.parameters = std::move(parameters);
    figure.relativeL2 = std::sqrt(difference.l2) / (reference.l2 > 0 ? std::sqrt(reference.l2) : 1);
    figure.maximum = difference.maximum;
    figure.relativeMaximum = difference.maximum / (reference.maximum > 0 ? reference.maximum : 1);
    return figure;
}

/// Where a study on a background grid has its body: errors count where it is in both states, in
/// truth and as the surrogate has it.
class Body
{
public:
    Body(const Study &study, const ExecutionContext &context)
        : m_study(study)
        , m_geometry(geometryFieldsOf(study.fields()))
    {
        if (m_geometry.distance)
            m_surrogate = std::make_unique<FieldAnywhere>(study, *m_geometry.distance, context);
    }

    /// See GeometryFields::leaveOutside().
    bool matters(FieldIndex field) const
    {
        return m_geometry.leaveOutside(field, m_study.fields()[field]);
    }

    /// Adds nothing for nodes without a body to any norm: values there become 0. `exact` fills in
    /// the true distances; false if they are not known.
    template <typename Exact>
    void keep(const std::vector<double> &parameters, const Exact &exact,
              std::initializer_list<std::span<float>> fields, bool isOnGrid = false) const
    {
        const auto nodes = m_surrogate->values();
        std::vector<float> surrogate(nodes), truth(nodes);
        const bool isKnown = exact(*m_geometry.distance, truth);
        if (isKnown && isOnGrid)
            surrogate = truth; // it goes through the points of the grid
        else
            m_surrogate->evaluate(parameters, {surrogate, {}});
        if (!isKnown)
            truth = surrogate;
        std::ranges::transform(truth, surrogate, truth.begin(),
                               [](float a, float b) { return std::min(a, b); });
        for (const auto values : fields)
            fillOutside(truth, values, 0);
    }

private:
    const Study &m_study;
    GeometryFields m_geometry;
    std::unique_ptr<FieldAnywhere> m_surrogate;
};

/// Whether the runs of this block's points can be left out: the grid has no block above it in any
/// dimension that costs runs. Of dense dimensions the coarsest levels will do, five values, of
/// which no finer one needs to be read.
bool canBeLeftOut(const sparse::SparseGrid &grid, std::size_t block)
{
    constexpr int finestDense = 1;
    const auto view = grid.levelVector(block);
    std::vector<sparse::Level> above(view.begin(), view.end());
    for (int t = 0; t < grid.dimension(); ++t) {
        auto &level = above[static_cast<std::size_t>(t)];
        if (grid.isDense(t)) {
            if (level > finestDense)
                return false;
            continue;
        }
        ++level;
        if (grid.findBlock(above))
            return false;
        --level;
    }
    return true;
}

/// The error at a grid point of the grid without the point's run: the coefficient, and what those
/// add that differ from it in dense dimensions alone.
class ErrorWithoutRun
{
public:
    ErrorWithoutRun(const Study &study, FieldIndex field)
        : m_study(study)
        , m_field(field)
        , m_states(study.coefficientStates(field))
        , m_coefficients(study.fields()[field].values())
    {
    }

    /// False if a coefficient is not final.
    bool read(std::uint64_t point, std::span<float> error)
    {
        std::ranges::fill(error, 0.0F);
        if (!add(point, 1, error))
            return false;
        const auto &grid = *m_study.grid();
        if (grid.dense() == 0)
            return true;
        const auto ancestors = sparse::ancestorWeights(grid, point);
        for (std::size_t i = 0; i < ancestors.points.size(); ++i) {
            if (isOfSameRun(grid, ancestors.points[i], point)
                && !add(ancestors.points[i], ancestors.weights[i], error))
                return false;
        }
        return true;
    }

private:
    bool add(std::uint64_t point, double weight, std::span<float> error)
    {
        if (m_states[point] != CoefficientState::final
            || !m_study.readCoefficients(point, m_field, m_coefficients))
            return false;
        for (std::size_t i = 0; i < error.size(); ++i)
            error[i] += static_cast<float>(weight) * m_coefficients[i];
        return true;
    }

    static bool isOfSameRun(const sparse::SparseGrid &grid, std::uint64_t a, std::uint64_t b)
    {
        std::vector<double> x(static_cast<std::size_t>(grid.dimension())), y(x.size());
        grid.coordinates(a, x);
        grid.coordinates(b, y);
        for (std::size_t t = 0; t < x.size(); ++t) {
            if (!grid.isDense(static_cast<int>(t)) && x[t] != y[t])
                return false;
        }
        return true;
    }

    const Study &m_study;
    FieldIndex m_field;
    std::vector<CoefficientState> m_states;
    std::vector<float> m_coefficients;
};

void addLeaveOneOut(const Study &study, FieldIndex field, const FieldAnywhere &surrogate,
                    const Body &body, std::vector<ErrorFigure> &figures,
                    const std::stop_token &stop)
{
    const auto grid = study.grid();
    const auto &space = study.description().space;
    const auto count = study.fields()[field].values();
    std::vector<float> errors(count), values(count);
    ErrorWithoutRun without(study, field);
    for (std::size_t block = 0; block < grid->blocks(); ++block) {
        if (!canBeLeftOut(*grid, block))
            continue;
        for (std::uint64_t i = 0; i < grid->blockSize(block); ++i) {
            if (stop.stop_requested())
                return;
            const auto point = grid->blockOffset(block) + i;
            if (!without.read(point, errors))
                continue;
            auto parameters = space.valuesAt(*grid, point);
            if (!study.readSnapshot(point, field, values))
                surrogate.evaluate(parameters, {values, {}});
            if (body.matters(field))
                body.keep(
                    parameters,
                    [&](FieldIndex distance, std::span<float> into) {
                        return study.readSnapshot(point, distance, into);
                    },
                    {errors, values}, true);
            figures.push_back(figureOf(ErrorKind::leaveOneOut, field, std::move(parameters),
                                       normsOf(errors), normsOf(values)));
        }
    }
}

/// A run that kriging was fitted to.
struct KrigedRun
{
    std::vector<double> parameters;
    /// Modes' coefficients: its own, and what all other runs make of it.
    SparseWeights itself, fromOthers;
};

/// Coefficients are what kriging has there, and what its nugget lets go (ARCHITECTURE.md, Eq. 37).
KrigedRun krigedRun(const FieldKriging &kriging, const Surrogate &surrogate, std::size_t run)
{
    const auto &model = kriging.model;
    const auto d = static_cast<std::size_t>(model.dimension);
    const auto modes = model.outputs();
    std::vector<double> coefficients(modes);
    const auto at = surrogate.weights({model.places.data() + run * d, d}, surrogate.groups());
    for (std::size_t i = 0; i < at.rows.size(); ++i)
        coefficients[at.rows[i]] = at.weights[i];
    std::size_t mode = 0;
    for (const auto &group : model.groups)
        for (std::size_t output = 0; output < group.outputs; ++output)
            coefficients[mode++] +=
                group.hyperparameters.nugget * group.weights[output * model.runs + run];
    KrigedRun of;
    for (std::size_t m = 0; m < modes; ++m) {
        of.itself.rows.push_back(m);
        of.itself.weights.push_back(coefficients[m]);
        of.fromOthers.rows.push_back(m);
        of.fromOthers.weights.push_back(coefficients[m] - kriging.leaveOneOut[run * modes + m]);
    }
    of.itself.lastGroupBegin = of.fromOthers.lastGroupBegin = modes;
    return of;
}

/// Of all runs, by ARCHITECTURE.md, Eq. 41.
void addKrigingLeaveOneOut(const Study &study, FieldIndex field, const FieldKriging &kriging,
                           const FieldAnywhere &surrogate, const Body &body,
                           std::vector<ErrorFigure> &figures, const std::stop_token &stop)
{
    const auto grid = study.grid();
    const auto &space = study.description().space;
    const auto others = study.trainingRuns();
    const auto kriged = surrogateOf(study, field);
    std::vector<float> values(surrogate.values()), errors(values.size());
    for (std::size_t run = 0; run < kriging.model.runs && !stop.stop_requested(); ++run) {
        auto of = krigedRun(kriging, *kriged, run);
        const bool isPoint = run < kriging.points.size();
        const auto id = isPoint ? 0 : kriging.trainingRuns[run - kriging.points.size()];
        const auto read = [&](FieldIndex which, std::span<float> into) {
            return isPoint ? study.readSnapshot(kriging.points[run], which, into)
                           : study.readHoldOut(id, which, into);
        };
        if (isPoint) {
            of.parameters = space.valuesAt(*grid, kriging.points[run]);
        } else {
            const auto other = std::ranges::find(others, id, &HoldOut::id);
            if (other == others.end())
                continue; // taken away since
            of.parameters = other->parameters;
        }
        if (!read(field, values))
            surrogate.combine(of.itself, values); // it was dropped
        surrogate.combine(of.fromOthers, errors);
        for (std::size_t i = 0; i < errors.size(); ++i)
            errors[i] = values[i] - errors[i];
        if (body.matters(field))
            body.keep(of.parameters, read, {errors, values});
        figures.push_back(figureOf(ErrorKind::leaveOneOut, field, std::move(of.parameters),
                                   normsOf(errors), normsOf(values)));
    }
}

/// Adds the error and the indicator over the hold-outs of one run.
void addHeldOut(const Study &study, FieldIndex field, const FieldAnywhere &surrogate,
                const Body &body, const std::vector<HoldOut> &run,
                std::vector<ErrorFigure> &figures, std::vector<HeldOutPlace> &places)
{
    const auto count = study.fields()[field].values();
    std::vector<float> exact(count), values(count), indicator(count);
    Norms reference, difference, estimate, everywhere; // the indicator also outside of a body
    double number = 0;
    std::vector<double> worst;
    for (const auto &holdOut : run) {
        if (!study.readHoldOut(holdOut.id, field, exact))
            continue;
        surrogate.evaluate(holdOut.parameters, {values, indicator});
        everywhere += normsOf(indicator);
        number += static_cast<double>(count);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] -= exact[i];
        if (body.matters(field))
            body.keep(holdOut.parameters,
                      [&](FieldIndex distance, std::span<float> into) {
                          return study.readHoldOut(holdOut.id, distance, into);
                      },
                      {values, exact, indicator});
        const auto error = normsOf(values);
        if (worst.empty() || error.maximum > difference.maximum)
            worst = holdOut.parameters;
        difference += error;
        reference += normsOf(exact);
        estimate += normsOf(indicator);
    }
    if (worst.empty())
        return;
    figures.push_back(figureOf(ErrorKind::indicator, field, worst, estimate, reference));
    figures.push_back(figureOf(ErrorKind::heldOut, field, worst, difference, reference));
    places.push_back({worst,
                      {std::sqrt(difference.l2 / number), std::sqrt(everywhere.l2 / number)},
                      figures.back().relativeL2});
}

} // namespace

Measured measureErrors(const Study &study, const ExecutionContext &context,
                       const std::stop_token &stop)
{
    Measured measured;
    auto &figures = measured.figures;
    const auto runs = runsOf(study.holdOuts(), study);
    const Body body(study, context);
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        const auto first = figures.size();
        const auto count = study.fields()[field].values();
        requireMemory(5.0 * sizeof(float) * static_cast<double>(count),
                      "measuring the errors of field " + study.fields()[field].name,
                      "close other programs");
        const FieldAnywhere surrogate(study, field, context);
        std::vector<HeldOutPlace> places;
        for (const auto &run : runs) {
            if (stop.stop_requested())
                return measured;
            addHeldOut(study, field, surrogate, body, run, figures, places);
        }
        if (const auto kriging = study.kriging(field))
            addKrigingLeaveOneOut(study, field, *kriging, surrogate, body, figures, stop);
        else if (study.description().kind == StudyKind::vector
                 && study.description().design == StudyDesign::grid)
            addLeaveOneOut(study, field, surrogate, body, figures, stop);
        const auto missing = missingRuns(study, field);
        for (auto i = first; i < figures.size(); ++i) {
            figures[i].gridPoints = study.grid()->points();
            figures[i].missingPoints = missing;
        }
        if (auto band = calibrate(study, field, places, surrogate)) {
            band->gridPoints = study.grid()->points();
            band->missingPoints = missing;
            measured.bands.push_back(*band);
        }
    }
    return measured;
}

namespace {

std::uint64_t finishedRuns(const Study &study)
{
    const auto jobs = study.jobs();
    return static_cast<std::uint64_t>(std::ranges::count(jobs, JobState::done, &Job::state))
           + study.trainingRuns().size();
}

/// Root mean squares of each field's errors; of those at hold-outs as far as they are inside of the
/// ranges.
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

} // namespace

bool storeErrors(StudyWriter &writer, const ExecutionContext &context, const std::stop_token &stop)
{
    const auto measured = measureErrors(writer, context, stop);
    if (stop.stop_requested())
        return false;
    auto transaction = writer.transaction();
    writer.putErrorFigures(measured.figures);
    writer.putErrorBands(measured.bands);
    writer.addToErrorHistory(historyOf(writer, measured.figures));
    transaction.commit();
    return true;
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
