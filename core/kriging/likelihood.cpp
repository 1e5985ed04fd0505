// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/likelihood.h"

#include "core/kriging/bordered_factor.h"
#include "core/kriging/trend.h"
#include "core/kriging/warping.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::kriging {

namespace {

using Eigen::Index;

/// What the trend leaves of each column, with mean square 1; without columns of which it leaves
/// nothing.
Matrix withoutTrend(const Matrix &values, const Matrix &trend)
{
    Matrix rest = detrended(values, trend).rest;
    Index kept = 0;
    for (Index m = 0; m < values.cols(); ++m) {
        const double size = rest.col(m).norm() / std::sqrt(static_cast<double>(values.rows()));
        if (size > 0)
            rest.col(kept++) = (rest.col(m) / size).eval();
    }
    rest.conservativeResize(Eigen::NoChange, kept);
    return rest;
}

} // namespace

Matrix placesOf(const Runs &runs)
{
    return rowMajorMatrix(runs.places, runs.runs);
}

Matrix valuesOf(const Runs &runs)
{
    return rowMajorMatrix(runs.values, runs.runs);
}

Likelihood::Likelihood(const Runs &runs, Form form)
    : m_form(std::move(form))
    , m_varying(varyingParameters(runs))
    , m_places(placesOf(runs))
    , m_trend(trendAt(m_places, m_form.linear))
    , m_values(withoutTrend(valuesOf(runs), m_trend))
{
    const auto d = static_cast<std::size_t>(runs.dimension);
    m_priorMeans.assign(d, lengthPriorMean);
    m_priorMeans.resize(parameters(), 0.0);
    m_priorDeviations.assign(d, lengthPriorDeviation);
    m_priorDeviations.resize(parameters(), warpingPriorDeviation);
}

Likelihood Likelihood::around(const Hyperparameters &centre) const
{
    const auto d = static_cast<std::size_t>(m_places.cols());
    Likelihood result = *this;
    result.m_priorMeans = logarithms(centre);
    result.m_priorDeviations.assign(d, ownLengthDeviation);
    result.m_priorDeviations.resize(parameters(), ownWarpingDeviation);
    return result;
}

std::size_t Likelihood::parameters() const
{
    const auto d = static_cast<std::size_t>(m_places.cols());
    return m_form.isWarped ? 3 * d + 1 : d + 1;
}

Hyperparameters Likelihood::hyperparameters(std::span<const double> logarithms) const
{
    const auto d = static_cast<std::size_t>(m_places.cols());
    std::vector<double> values;
    for (const double logarithm : logarithms)
        values.push_back(std::exp(logarithm));
    const auto at = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
    Hyperparameters result{{at(0), at(d)}, values[d], {}, {}};
    if (m_form.isWarped) {
        result.warpA.assign(at(d + 1), at(2 * d + 1));
        result.warpB.assign(at(2 * d + 1), at(3 * d + 1));
    }
    return result;
}

std::vector<double> Likelihood::logarithms(const Hyperparameters &hyperparameters) const
{
    std::vector<double> result = hyperparameters.lengths;
    result.push_back(hyperparameters.nugget);
    if (m_form.isWarped && hyperparameters.isWarped()) {
        result.insert(result.end(), hyperparameters.warpA.begin(), hyperparameters.warpA.end());
        result.insert(result.end(), hyperparameters.warpB.begin(), hyperparameters.warpB.end());
    }
    result.resize(parameters(), 1.0);
    for (double &value : result)
        value = std::log(value);
    return result;
}

double Likelihood::addPriors(std::span<const double> logarithms, std::span<double> gradient) const
{
    double sum = 0;
    const auto add = [&](std::size_t k) {
        const double distance = (logarithms[k] - m_priorMeans[k]) / m_priorDeviations[k];
        sum += distance * distance / 2;
        if (!gradient.empty())
            gradient[k] += distance / m_priorDeviations[k];
    };
    for (const int t : m_varying)
        add(static_cast<std::size_t>(t));
    for (auto k = static_cast<std::size_t>(m_places.cols()) + 1; k < logarithms.size(); ++k)
        add(k);
    return sum;
}

double Likelihood::value(std::span<const double> logarithms, std::span<double> gradient) const
{
    std::ranges::fill(gradient, 0.0);
    const auto outputs = m_values.cols();
    if (outputs == 0)
        return addPriors(logarithms, gradient);
    const auto parameters = hyperparameters(logarithms);
    const Matrix places = warpedPlaces(m_places, parameters);
    Matrix correlations;
    fillCorrelations(places, parameters, m_form.smoothness, correlations);
    const auto factor = BorderedFactor::of(correlations, m_trend);
    if (!factor)
        return std::numeric_limits<double>::infinity();
    Matrix contracted = factor->inverse();

    const auto freedom = static_cast<double>(m_values.rows() - m_trend.cols());
    Matrix weights = contracted.selfadjointView<Eigen::Lower>() * m_values; // B y
    double result = static_cast<double>(outputs) * factor->logDeterminant() / 2;
    for (Index m = 0; m < outputs; ++m) {
        const double variance = weights.col(m).dot(m_values.col(m)) / freedom;
        if (!(variance > 0))
            return std::numeric_limits<double>::infinity();
        result += freedom / 2 * std::log(variance);
        weights.col(m) /= std::sqrt(variance);
    }
    if (!gradient.empty()) {
        // The derivative is 1/2 sum_ij W_ij dR_ij with W = outputs B - sum_m (B y)(B y)^T /
        // variance.
        contracted *= static_cast<double>(outputs) / 2;
        contracted.selfadjointView<Eigen::Lower>().rankUpdate(weights, -0.5);
        const auto slopes = correlationGradient(places, parameters, m_form.smoothness, correlations,
                                                contracted, m_form.isWarped);
        std::ranges::copy(slopes.byLogLength, gradient.begin());
        gradient[static_cast<std::size_t>(m_places.cols())] =
            parameters.nugget * contracted.diagonal().sum();
        if (m_form.isWarped)
            addWarpingGradient(slopes.byPlace, parameters, gradient);
    }
    return result + addPriors(logarithms, gradient);
}

void Likelihood::addWarpingGradient(const Matrix &byPlace, const Hyperparameters &hyperparameters,
                                    std::span<double> gradient) const
{
    const auto d = static_cast<std::size_t>(m_places.cols());
    for (std::size_t t = 0; t < d; ++t) {
        for (Index i = 0; i < byPlace.rows(); ++i) {
            const auto column = static_cast<Index>(t);
            const auto coordinate =
                warped(m_places(i, column), hyperparameters.warpA[t], hyperparameters.warpB[t]);
            gradient[d + 1 + t] += byPlace(i, column) * coordinate.byLogA;
            gradient[2 * d + 1 + t] += byPlace(i, column) * coordinate.byLogB;
        }
    }
}

} // namespace gridhelm::kriging
