// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/hold_out.h"

#include "core/sparse/error_estimates.h"
#include "core/support/memory_check.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/scalar_surrogate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace gridhelm::data {

std::vector<std::vector<double>> holdOutParameters(const Study &study, std::size_t count,
                                                   std::uint64_t seed)
{
    const auto &space = study.description().space;
    const auto d = space.parameters().size();
    const auto x = sparse::holdOutPoints(*study.grid(), count, seed);
    std::vector<std::vector<double>> parameters;
    for (std::size_t i = 0; i + d <= x.size(); i += d)
        parameters.push_back(space.fromUnit(std::span(x).subspan(i, d)));
    return parameters;
}

namespace {

/// The value of a field at any parameters, in whatever way suits the study.
class FieldAnywhere
{
public:
    FieldAnywhere(const Study &study, FieldIndex field, int threads)
        : m_study(study)
        , m_field(field)
        , m_threads(threads)
    {
        if (study.description().kind == StudyKind::scalar) {
            m_scalar =
                std::make_unique<ScalarSurrogate>(study, field, *sparse::makeOmpBackend(threads));
        } else if (FieldSurrogate::fitsInMemory(study, field)) {
            m_loaded = std::make_unique<FieldSurrogate>(study, field);
            m_loaded->loadAll(study);
        }
    }

    void evaluate(std::span<const double> parameters, FieldOutput out) const
    {
        if (m_scalar) {
            std::vector<std::vector<double>> axes;
            for (double value : parameters)
                axes.push_back({value});
            m_scalar->evaluate(axes, {out.values, out.indicator});
            return;
        }
        const auto x = m_study.description().space.toUnit(parameters);
        if (m_loaded)
            m_loaded->evaluate(x, out, m_threads);
        else
            evaluateFromFile(m_study, m_field, x, out, m_threads);
    }

private:
    const Study &m_study;
    FieldIndex m_field;
    int m_threads;
    std::unique_ptr<ScalarSurrogate> m_scalar;
    std::unique_ptr<FieldSurrogate> m_loaded;
};

struct Norms
{
    double l2 = 0; ///< not yet a root
    double maximum = 0;
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

/// A difference relative to a reference; absolute if that is zero, as in Eq. 3.20's use elsewhere.
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

/// Whether the grid has no block above this one, so that its points can be left out.
bool isMaximal(const sparse::SparseGrid &grid, std::size_t block)
{
    const auto view = grid.levelVector(block);
    std::vector<sparse::Level> above(view.begin(), view.end());
    return std::ranges::none_of(above, [&](sparse::Level &level) {
        ++level;
        const bool found = grid.findBlock(above).has_value();
        --level;
        return found;
    });
}

void addLeaveOneOut(const Study &study, FieldIndex field, const FieldAnywhere &surrogate,
                    std::vector<ErrorFigure> &figures)
{
    const auto grid = study.grid();
    const auto &space = study.description().space;
    const auto count = study.fields()[field].values();
    std::vector<float> coefficients(count), values(count);
    const auto states = study.coefficientStates(field);
    for (std::size_t block = 0; block < grid->blocks(); ++block) {
        if (!isMaximal(*grid, block))
            continue;
        for (std::uint64_t i = 0; i < grid->blockSize(block); ++i) {
            const auto point = grid->blockOffset(block) + i;
            if (states[point] != CoefficientState::final
                || !study.readCoefficients(point, field, coefficients))
                continue;
            auto parameters = space.valuesAt(*grid, point);
            if (!study.readSnapshot(point, field, values))
                surrogate.evaluate(parameters, {values, {}});
            figures.push_back(figureOf(ErrorKind::leaveOneOut, field, std::move(parameters),
                                       normsOf(coefficients), normsOf(values)));
        }
    }
}

} // namespace

std::vector<ErrorFigure> measureErrors(const Study &study, int threads)
{
    std::vector<ErrorFigure> figures;
    for (FieldIndex field = 0; field < study.fields().size(); ++field) {
        const auto first = figures.size();
        const auto count = study.fields()[field].values();
        requireMemory(5.0 * sizeof(float) * static_cast<double>(count),
                      "measuring the errors of field " + study.fields()[field].name,
                      "close other programs");
        const FieldAnywhere surrogate(study, field, threads);
        std::vector<float> exact(count), values(count), indicator(count);
        for (const auto &holdOut : study.holdOuts()) {
            if (!study.readHoldOut(holdOut.id, field, exact))
                continue;
            surrogate.evaluate(holdOut.parameters, {values, indicator});
            const auto reference = normsOf(exact);
            figures.push_back(figureOf(ErrorKind::indicator, field, holdOut.parameters,
                                       normsOf(indicator), reference));
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] -= exact[i];
            figures.push_back(figureOf(ErrorKind::heldOut, field, holdOut.parameters,
                                       normsOf(values), reference));
        }
        if (study.description().kind == StudyKind::vector)
            addLeaveOneOut(study, field, surrogate, figures);
        const auto missing = study.missingPoints(field);
        for (auto i = first; i < figures.size(); ++i) {
            figures[i].gridPoints = study.grid()->points();
            figures[i].missingPoints = missing;
        }
    }
    return figures;
}

void storeErrors(StudyWriter &writer, int threads)
{
    writer.putErrorFigures(measureErrors(writer, threads));
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
