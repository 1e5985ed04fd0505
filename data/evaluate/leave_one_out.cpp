// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/leave_one_out.h"

#include "core/sparse/growth.h"
#include "data/evaluate/kriged_runs.h"
#include "data/evaluate/scalar_spread.h"
#include "data/evaluate/stored_grid.h"
#include "data/evaluate/study_surrogate.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr int endsApart = -1, endsWithMiddle = 0;

void addPoints(const sparse::SparseGrid &grid, std::size_t block,
               std::vector<std::uint64_t> &points)
{
    for (std::uint64_t i = 0; i < grid.blockSize(block); ++i)
        points.push_back(grid.blockOffset(block) + i);
}

std::vector<std::uint64_t> topPoints(const sparse::SparseGrid &grid, int least)
{
    constexpr int finestDense = 1;
    std::vector<std::uint64_t> points;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto levels = grid.levelVector(block);
        bool isCoarse = true;
        for (int t = 0; t < grid.dimension(); ++t)
            isCoarse = isCoarse
                       && (!grid.isDense(t) || levels[static_cast<std::size_t>(t)] <= finestDense);
        if (isCoarse && !grid.hasBlockAbove(grid.levelVector(block), least))
            addPoints(grid, block, points);
    }
    return points;
}

} // namespace

std::vector<std::uint64_t> pointsLeftOut(const sparse::SparseGrid &grid)
{
    return topPoints(grid, endsApart);
}

std::vector<std::uint64_t> finestPointsLeftOut(const sparse::SparseGrid &grid)
{
    return topPoints(grid, endsWithMiddle);
}

std::vector<bool> finestPoints(const sparse::SparseGrid &grid)
{
    std::vector<bool> isFinest(grid.points(), false);
    std::vector<std::uint64_t> points;
    for (std::size_t block = 0; block < grid.blocks(); ++block)
        if (!grid.hasBlockAbove(grid.levelVector(block), endsWithMiddle))
            addPoints(grid, block, points);
    for (const auto point : points)
        isFinest[point] = true;
    return isFinest;
}

IsLeftOutWith itsRun(const sparse::SparseGrid &grid)
{
    if (grid.dense() == 0)
        return {};
    return [&grid](std::uint64_t a, std::uint64_t b) {
        std::vector<double> x(static_cast<std::size_t>(grid.dimension())), y(x.size());
        grid.coordinates(a, x);
        grid.coordinates(b, y);
        for (std::size_t t = 0; t < x.size(); ++t) {
            if (!grid.isDense(static_cast<int>(t)) && x[t] != y[t])
                return false;
        }
        return true;
    };
}

ErrorWithout::ErrorWithout(const sparse::SparseGrid &grid, std::size_t values,
                           ReadCoefficients read, IsLeftOutWith isLeftOut)
    : m_grid(grid)
    , m_read(std::move(read))
    , m_isLeftOut(std::move(isLeftOut))
    , m_coefficients(values)
{
}

bool ErrorWithout::read(std::uint64_t point, std::span<float> error)
{
    std::ranges::fill(error, 0.0F);
    if (!add(point, 1, error))
        return false;
    if (!m_isLeftOut)
        return true;
    const auto ancestors = sparse::ancestorWeights(m_grid, point);
    for (std::size_t i = 0; i < ancestors.points.size(); ++i) {
        if (m_isLeftOut(ancestors.points[i], point)
            && !add(ancestors.points[i], ancestors.weights[i], error))
            return false;
    }
    return true;
}

bool ErrorWithout::add(std::uint64_t point, double weight, std::span<float> error)
{
    if (!m_read(point, m_coefficients))
        return false;
    for (std::size_t i = 0; i < error.size(); ++i)
        error[i] += static_cast<float>(weight) * m_coefficients[i];
    return true;
}

ReadCoefficients storedCoefficients(const Study &study, FieldIndex field)
{
    return [&study, field, states = study.coefficientStates(field)](std::uint64_t point,
                                                                    std::span<float> values) {
        return states[point] == CoefficientState::final
               && study.readCoefficients(point, field, values);
    };
}

LeftOutErrors::LeftOutErrors(const Study &study, FieldIndex field, const FieldAnywhere &surrogate,
                             const PresentBody &body)
    : m_study(study)
    , m_field(field)
    , m_surrogate(surrogate)
    , m_body(body)
    , m_spread(scalarSpread(study, field))
{
}

void LeftOutErrors::addSparseGrid(ErrorKind kind, const std::vector<std::uint64_t> &points,
                                  const IsLeftOutWith &isLeftOut, std::vector<ErrorFigure> &figures,
                                  const std::stop_token &stop) const
{
    const auto grid = m_study.grid();
    const auto count = m_study.fields()[m_field].values();
    std::vector<float> errors(count), values(count);
    ErrorWithout without(*grid, count, storedCoefficients(m_study, m_field), isLeftOut);
    for (const auto point : points) {
        if (stop.stop_requested())
            return;
        if (!without.read(point, errors))
            continue;
        auto parameters = m_study.description().space.valuesAt(*grid, point);
        if (!m_study.readSnapshot(point, m_field, values))
            m_surrogate.evaluate(parameters, {values, {}});
        if (m_body.matters(m_field))
            m_body.keep(
                parameters,
                [&](FieldIndex distance, std::span<float> into) {
                    return m_study.readSnapshot(point, distance, into);
                },
                {errors, values}, true);
        figures.push_back(figureOf(kind, m_field, std::move(parameters), normsOf(errors),
                                   m_spread.value_or(normsOf(values)),
                                   m_study.fields()[m_field].scale));
    }
}

void LeftOutErrors::addSparseGridAt(ErrorKind kind, const std::vector<bool> &points,
                                    const FieldKriging &kriging,
                                    const std::vector<std::size_t> &runs,
                                    std::vector<ErrorFigure> &figures,
                                    const std::stop_token &stop) const
{
    StoredGrid grid(m_study, m_field, points);
    const auto d = static_cast<std::size_t>(kriging.model.dimension);
    const auto predict = [&](std::size_t run, const std::vector<double> &,
                             std::span<float> values) {
        grid.evaluate({kriging.model.places.data() + run * d, d}, values);
    };
    addAtRuns(kind, kriging, runs, predict, figures, stop);
}

void LeftOutErrors::addKriging(ErrorKind kind, const FieldKriging &kriging,
                               const std::vector<double> &coefficientErrors,
                               const std::vector<std::size_t> &runs,
                               std::vector<ErrorFigure> &figures, const std::stop_token &stop) const
{
    const auto predict = [&](std::size_t run, const std::vector<double> &itself,
                             std::span<float> values) {
        auto fromOthers = itself;
        for (std::size_t m = 0; m < itself.size(); ++m)
            fromOthers[m] -= coefficientErrors[run * itself.size() + m];
        m_surrogate.combine(modesWith(fromOthers), values);
    };
    addAtRuns(kind, kriging, runs, predict, figures, stop);
}

void LeftOutErrors::addAtRuns(ErrorKind kind, const FieldKriging &kriging,
                              const std::vector<std::size_t> &runs, const Predict &predict,
                              std::vector<ErrorFigure> &figures, const std::stop_token &stop) const
{
    const auto grid = m_study.grid();
    const auto others = m_study.trainingRuns();
    const auto kriged = surrogateOf(m_study, m_field);
    std::vector<float> values(m_surrogate.values()), errors(values.size());
    for (const auto run : runs) {
        if (stop.stop_requested())
            return;
        const auto itself = coefficientsOfRun(kriging, *kriged, run);
        const bool isPoint = run < kriging.points.size();
        const auto id = isPoint ? 0 : kriging.trainingRuns[run - kriging.points.size()];
        const auto read = [&](FieldIndex which, std::span<float> into) {
            return isPoint ? m_study.readSnapshot(kriging.points[run], which, into)
                           : m_study.readHoldOut(id, which, into);
        };
        std::vector<double> parameters;
        if (isPoint) {
            parameters = m_study.description().space.valuesAt(*grid, kriging.points[run]);
        } else {
            const auto other = std::ranges::find(others, id, &HoldOut::id);
            if (other == others.end())
                continue; // taken away since
            parameters = other->parameters;
        }
        if (!read(m_field, values))
            m_surrogate.combine(modesWith(itself), values); // it was dropped
        predict(run, itself, errors);
        for (std::size_t i = 0; i < errors.size(); ++i)
            errors[i] = values[i] - errors[i];
        if (m_body.matters(m_field))
            m_body.keep(parameters, read, {errors, values});
        figures.push_back(figureOf(kind, m_field, std::move(parameters), normsOf(errors),
                                   m_spread.value_or(normsOf(values)),
                                   m_study.fields()[m_field].scale));
    }
}

} // namespace gridhelm::data
