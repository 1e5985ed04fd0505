// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/indicator_share.h"

#include "data/study/run_space.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::data {

double indicatorShare(std::span<const float> indicator, std::span<const float> values)
{
    double above = 0, below = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        above += static_cast<double>(indicator[i]) * static_cast<double>(indicator[i]);
        below += static_cast<double>(values[i]) * static_cast<double>(values[i]);
    }
    return below > 0 ? std::sqrt(above / below) : 0;
}

double rootMeanSquare(std::span<const float> values, std::span<const float> distance)
{
    const auto components = distance.empty() ? 1 : values.size() / distance.size();
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = values[i];
        if (distance.empty() || distance[i / components] >= 0)
            sum += value * value;
    }
    return values.empty() ? 0 : std::sqrt(sum / static_cast<double>(values.size()));
}

std::vector<std::uint32_t> spreadOver(std::uint64_t count, std::uint64_t most)
{
    const auto chosen = std::min(count, most);
    constexpr double goldenRatio = 0.6180339887498949; // whose multiples fill [0, 1) evenly
    std::vector<std::uint32_t> all(chosen);
    for (std::uint64_t i = 0; i < chosen; ++i) {
        const auto begin = i * count / chosen, end = (i + 1) * count / chosen;
        const double turns = static_cast<double>(i) * goldenRatio;
        const double place = (turns - std::floor(turns)) * static_cast<double>(end - begin);
        all[i] = static_cast<std::uint32_t>(begin + static_cast<std::uint64_t>(place));
    }
    return all;
}

IndicatorShares::IndicatorShares(std::shared_ptr<const FieldSurrogate> field, ParameterSpace space,
                                 std::uint64_t most, std::shared_ptr<const sparse::Backend> backend)
    : m_vector(std::move(field))
    , m_space(std::move(space))
    , m_backend(std::move(backend))
{
    const auto &of = m_vector->field();
    const auto components = static_cast<std::uint32_t>(of.components);
    for (const auto entity : spreadOver(of.entities, most)) {
        for (std::uint32_t c = 0; c < components; ++c)
            m_columns.push_back(entity * components + c);
        ++m_entities;
    }
}

IndicatorShares::IndicatorShares(std::shared_ptr<const ScalarSurrogate> field,
                                 const ImageMesh &mesh, std::uint64_t most)
    : m_space(runSpaceOf(field->space()))
    , m_scalar(std::move(field))
    , m_entities(1)
{
    const auto spatial = m_scalar->space().spatial();
    const double each = std::floor(
        std::pow(static_cast<double>(most), 1 / static_cast<double>(spatial.size())) + 1e-6);
    for (std::size_t axis = 0; axis < spatial.size(); ++axis) {
        const auto &direction = m_scalar->space()[spatial[axis]];
        auto &places = m_places.emplace_back();
        for (const auto i : spreadOver(mesh.points[axis], static_cast<std::uint64_t>(each)))
            places.push_back(
                std::clamp(mesh.origin[axis] + static_cast<double>(i) * mesh.spacing[axis],
                           direction.low, direction.high)); // but for round-off, they are inside
        m_entities *= places.size();
    }
}

std::vector<FieldNorms> IndicatorShares::along(std::size_t t, std::span<const double> at,
                                               std::span<const double> parameters,
                                               const std::function<bool()> &stop) const
{
    return m_vector ? alongVector(t, at, parameters, stop) : alongScalar(t, at, parameters, stop);
}

void IndicatorShares::evaluateColumns(std::span<const double> x, FieldOutput out) const
{
    if (m_backend)
        m_vector->evaluateColumns(x, m_columns, out, m_backend);
    else
        m_vector->evaluateColumns(x, m_columns, out, CpuDevice{});
}

std::vector<std::vector<double>> IndicatorShares::axesAt(std::span<const double> parameters) const
{
    const auto &whole = m_scalar->space();
    std::vector<std::vector<double>> axes;
    for (const double value : withSpace(whole, parameters))
        axes.push_back({value});
    const auto spatial = whole.spatial();
    for (std::size_t axis = 0; axis < spatial.size(); ++axis)
        axes[spatial[axis]] = m_places[axis];
    return axes;
}

FieldNorms IndicatorShares::at(std::span<const double> parameters) const
{
    m_space.requireInside(parameters);
    std::vector<float> values(m_vector ? m_columns.size() : m_entities), indicator(values.size());
    if (m_vector)
        evaluateColumns(m_space.toUnit(parameters), {values, indicator});
    else
        m_scalar->evaluate(axesAt(parameters), {values, indicator});
    return {rootMeanSquare(values), rootMeanSquare(indicator)};
}

std::vector<FieldNorms> IndicatorShares::alongVector(std::size_t t, std::span<const double> at,
                                                     std::span<const double> parameters,
                                                     const std::function<bool()> &stop) const
{
    std::vector<double> state(parameters.begin(), parameters.end());
    std::vector<FieldNorms> norms;
    std::vector<float> values(m_columns.size()), indicator(m_columns.size());
    for (const double value : at) {
        if (stop && stop())
            return {};
        state.at(t) = value;
        m_space.requireInside(state);
        const auto x = m_space.toUnit(state);
        evaluateColumns(x, {values, indicator});
        norms.push_back({rootMeanSquare(values), rootMeanSquare(indicator)});
    }
    return norms;
}

std::vector<FieldNorms> IndicatorShares::alongScalar(std::size_t t, std::span<const double> at,
                                                     std::span<const double> parameters,
                                                     const std::function<bool()> &stop) const
{
    auto axes = axesAt(parameters);
    const auto moved = m_scalar->space().indexOf(m_space[t].name);
    std::vector<float> values(m_entities), indicator(m_entities);
    std::vector<FieldNorms> norms;
    for (const double value : at) {
        if (stop && stop())
            return {};
        axes[moved] = {value};
        m_scalar->evaluate(axes, {values, indicator});
        norms.push_back({rootMeanSquare(values), rootMeanSquare(indicator)});
    }
    return norms;
}

} // namespace gridhelm::data
