// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/kriging_surrogate.h"

#include "core/kriging/correlations.h"
#include "core/kriging/trend.h"
#include "core/support/error.h"
#include "core/surrogate/place.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

namespace gridhelm::kriging {

namespace {

using Eigen::Index;

SparseWeights withoutZeros(const std::vector<double> &weights)
{
    SparseWeights result;
    for (std::size_t row = 0; row < weights.size(); ++row) {
        if (weights[row] == 0)
            continue;
        result.rows.push_back(row);
        result.weights.push_back(weights[row]);
    }
    result.lastGroupBegin = result.rows.size();
    return result;
}

/// To the outputs from `first` on, of those that are wanted.
void add(const Vector &values, std::size_t first, std::vector<double> &to)
{
    const auto count = std::min(static_cast<std::size_t>(values.size()), to.size() - first);
    for (std::size_t i = 0; i < count; ++i)
        to[first + i] += values[static_cast<Index>(i)];
}

/// The nearest place inside. Throws gridhelm::Error for one outside unless it is to be
/// extrapolated.
std::vector<double> placeInside(std::span<const double> x, OutOfRange outOfRange)
{
    constexpr double roundOff = 1e-12;
    std::vector<double> inside(x.begin(), x.end());
    for (std::size_t t = 0; t < x.size(); ++t) {
        inside[t] = std::clamp(x[t], 0.0, 1.0);
        if (outOfRange == OutOfRange::refused && std::abs(x[t] - inside[t]) > roundOff)
            throw Error("coordinate " + std::to_string(t + 1) + " is " + std::to_string(x[t])
                        + ", outside [0, 1]: choose a point inside, or extrapolate");
    }
    return inside;
}

} // namespace

struct KrigingSurrogate::Places
{
    Matrix warped; ///< runs x dimension
};

KrigingSurrogate::KrigingSurrogate(Model model, std::vector<std::size_t> groupBegins)
    : m_model(std::move(model))
    , m_groupBegins(groupBegins.empty() ? std::vector<std::size_t>{0} : std::move(groupBegins))
{
    requireSound(m_model);
    if (m_groupBegins.front() != 0 || m_groupBegins.back() >= m_model.outputs()
        || std::ranges::adjacent_find(m_groupBegins, std::greater_equal()) != m_groupBegins.end())
        throw Error("groups of POD modes do not begin one after the other: give the first mode of "
                    "each, 0 first");
    const Matrix places = rowMajorMatrix(m_model.places, m_model.runs);
    for (const auto &group : m_model.groups)
        m_places.push_back({warpedPlaces(places, group.hyperparameters)});
}

KrigingSurrogate::~KrigingSurrogate() = default;

std::uint64_t KrigingSurrogate::rows(int groups) const
{
    if (groups <= 0)
        return 0;
    const auto count = static_cast<std::size_t>(groups);
    return count < m_groupBegins.size() ? m_groupBegins[count] : m_model.outputs();
}

std::size_t KrigingSurrogate::modesOf(int groups) const
{
    return rows(std::clamp(groups, 1, this->groups()));
}

std::vector<double> KrigingSurrogate::coefficients(std::span<const double> x,
                                                   std::size_t modes) const
{
    std::vector<double> result(modes);
    for (std::size_t k = 0; k < m_model.groups.size() && m_model.groups[k].first < modes; ++k) {
        const auto &group = m_model.groups[k];
        const Vector correlations =
            correlationsWith(m_places[k].warped, warpedPlace(x, group.hyperparameters),
                             group.hyperparameters, group.form.smoothness);
        add(rowMajorMatrix(group.weights, group.outputs) * correlations
                + rowMajorMatrix(group.trend, group.outputs) * trendAt(x, group.form.linear),
            group.first, result);
    }
    return result;
}

std::vector<double> KrigingSurrogate::slopes(std::span<const double> x, int t,
                                             std::size_t modes) const
{
    std::vector<double> result(modes), coordinateSlopes(x.size());
    for (std::size_t k = 0; k < m_model.groups.size() && m_model.groups[k].first < modes; ++k) {
        const auto &group = m_model.groups[k];
        const Vector place = warpedPlace(x, group.hyperparameters, coordinateSlopes);
        const Vector correlations = correlationsWith(m_places[k].warped, place,
                                                     group.hyperparameters, group.form.smoothness);
        Vector values = rowMajorMatrix(group.weights, group.outputs)
                        * correlationSlopes(m_places[k].warped, place, t, correlations,
                                            group.hyperparameters, group.form.smoothness);
        values *= coordinateSlopes[static_cast<std::size_t>(t)];
        const auto &linear = group.form.linear;
        if (const auto term = std::ranges::find(linear, t); term != linear.end())
            values += rowMajorMatrix(group.trend, group.outputs).col(1 + (term - linear.begin()));
        add(values, group.first, result);
    }
    return result;
}

SparseWeights KrigingSurrogate::weights(std::span<const double> x, int groups,
                                        OutOfRange outOfRange) const
{
    requireCoordinates(x, dimension());
    const auto inside = placeInside(x, outOfRange);
    auto result = coefficients(inside, modesOf(groups));
    for (std::size_t t = 0; t < x.size(); ++t) {
        if (x[t] == inside[t])
            continue;
        const auto slope = slopes(inside, static_cast<int>(t), result.size());
        for (std::size_t row = 0; row < result.size(); ++row)
            result[row] += (x[t] - inside[t]) * slope[row];
    }
    return withoutZeros(result);
}

SparseWeights KrigingSurrogate::derivativeWeights(std::span<const double> x, int t, int groups,
                                                  OutOfRange outOfRange) const
{
    requireCoordinates(x, dimension());
    requireParameter(t, dimension());
    return withoutZeros(slopes(placeInside(x, outOfRange), t, modesOf(groups)));
}

} // namespace gridhelm::kriging
