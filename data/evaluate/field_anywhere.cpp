// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/field_anywhere.h"

#include <random>
#include <utility>

namespace gridhelm::data {
namespace {

constexpr std::uint64_t mostColumns = 4096;
constexpr std::size_t placesInSpace = 64;
constexpr std::uint64_t seedOfPlaces = 7;

} // namespace

FieldAnywhere::FieldAnywhere(const Study &study, FieldIndex field, const ExecutionContext &context,
                             std::shared_ptr<const sparse::Backend> backend)
    : m_study(study)
    , m_field(field)
    , m_context(context)
    , m_backend(backend ? std::move(backend) : sparse::makeOmpBackend(context))
{
    if (study.description().kind == StudyKind::scalar) {
        m_scalar = std::make_unique<ScalarSurrogate>(study, field, *m_backend);
    } else if (FieldSurrogate::fitsInMemory(study, field)) {
        m_loaded = std::make_unique<FieldSurrogate>(study, field);
        m_loaded->loadAll(study);
        m_columns = spreadOver(values(), mostColumns);
    }
}

void FieldAnywhere::evaluate(std::span<const double> parameters, FieldOutput out) const
{
    const auto x = m_study.description().space.toUnit(parameters);
    if (m_scalar) { // one point: the grid is not worth contracting
        const std::vector<float> point(x.begin(), x.end());
        note(m_scalar->evaluator().interpolate({point, static_cast<int>(point.size())},
                                               {out.values, out.indicator}));
        return;
    }
    if (m_loaded)
        note(m_loaded->evaluate(x, out, m_backend).computedOn);
    else
        note(evaluateFromFile(m_study, m_field, x, out, m_context.cpu()).computedOn);
}

void FieldAnywhere::combine(const SparseWeights &weights, std::span<float> values) const
{
    if (m_loaded)
        note(m_loaded->combine(weights, values, m_backend));
    else
        combineFromFile(m_study, m_field, weights, values, m_context.cpu());
}

ComputedOn FieldAnywhere::computedOn() const
{
    const std::lock_guard lock(m_mutex);
    return m_computedOn;
}

void FieldAnywhere::note(ComputedOn where) const
{
    const std::lock_guard lock(m_mutex);
    m_computedOn |= where;
}

FieldNorms FieldAnywhere::scalarNorms(std::span<const double> x) const
{
    std::mt19937_64 random(seedOfPlaces);
    std::uniform_real_distribution<float> uniform(0, 1);
    const auto inSpace = m_study.description().space.spatial();
    std::vector<float> points;
    for (std::size_t i = 0; i < placesInSpace; ++i) {
        points.insert(points.end(), x.begin(), x.end());
        for (const auto t : inSpace)
            points[i * x.size() + t] = uniform(random);
    }
    std::vector<float> values(placesInSpace), indicator(placesInSpace);
    m_scalar->evaluator().interpolate({points, static_cast<int>(x.size())}, {values, indicator});
    return {rootMeanSquare(values), rootMeanSquare(indicator)};
}

FieldNorms FieldAnywhere::sampledNorms(std::span<const double> x) const
{
    if (m_scalar)
        return scalarNorms(x);
    std::vector<float> values(m_loaded ? m_columns.size() : this->values()),
        indicator(values.size());
    if (m_loaded)
        note(m_loaded->evaluateColumns(x, m_columns, {values, indicator}, m_backend).computedOn);
    else
        evaluateFromFile(m_study, m_field, x, {values, indicator}, m_context.cpu());
    return {rootMeanSquare(values), rootMeanSquare(indicator)};
}

} // namespace gridhelm::data
