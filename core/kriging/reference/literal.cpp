// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/reference/literal.h"

#include "core/support/error.h"

#include <cmath>
#include <utility>

namespace gridhelm::kriging::reference {

namespace {

using Real = long double;
using Row = std::vector<Real>;
using Rows = std::vector<Row>;

Real warp(Real u, Real a, Real b)
{
    const Real v = 1 / Real{1024} + (1 - 2 / Real{1024}) * u;
    return 1 - std::pow(1 - std::pow(v, a), b);
}

Real oneDimensional(Real r, Smoothness smoothness)
{
    using std::exp, std::sqrt;
    switch (smoothness) {
    case Smoothness::matern32:
        return (1 + sqrt(Real{3}) * r) * exp(-sqrt(Real{3}) * r);
    case Smoothness::matern52:
        return (1 + sqrt(Real{5}) * r + 5 * r * r / 3) * exp(-sqrt(Real{5}) * r);
    case Smoothness::matern92: {
        const Real s = 3 * r;
        return (1 + s + 3 * s * s / 7 + 2 * s * s * s / 21 + s * s * s * s / 105) * exp(-s);
    }
    case Smoothness::gaussian:
        break;
    }
    return exp(-r * r / 2);
}

Row trend(std::span<const double> x, const Form &form)
{
    Row result{1};
    for (const int t : form.linear)
        result.push_back(x[static_cast<std::size_t>(t)] - Real{0.5});
    return result;
}

std::span<const double> placeOf(const Runs &runs, std::size_t run)
{
    const auto d = static_cast<std::size_t>(runs.dimension);
    return {runs.places.data() + run * d, d};
}

/// R, nugget and all.
Rows correlations(const Runs &runs, const Form &form, const Hyperparameters &hyperparameters)
{
    Rows result(runs.runs, Row(runs.runs));
    for (std::size_t i = 0; i < runs.runs; ++i)
        for (std::size_t j = 0; j < runs.runs; ++j)
            result[i][j] =
                correlation(placeOf(runs, i), placeOf(runs, j), hyperparameters, form.smoothness)
                + (i == j ? hyperparameters.nugget : 0);
    return result;
}

/// Gauss's elimination with pivoting: the solution, and the logarithm of |determinant|.
std::pair<Row, Real> solve(Rows matrix, Row right)
{
    const std::size_t n = matrix.size();
    Real logDeterminant = 0;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(matrix[i][k]) > std::abs(matrix[pivot][k]))
                pivot = i;
        if (matrix[pivot][k] == 0)
            throw Error(
                "the system of kriging is singular: leave out runs with the same parameters");
        std::swap(matrix[k], matrix[pivot]);
        std::swap(right[k], right[pivot]);
        logDeterminant += std::log(std::abs(matrix[k][k]));
        for (std::size_t i = k + 1; i < n; ++i) {
            const Real factor = matrix[i][k] / matrix[k][k];
            for (std::size_t j = k; j < n; ++j)
                matrix[i][j] -= factor * matrix[k][j];
            right[i] -= factor * right[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j)
            right[k] -= matrix[k][j] * right[j];
        right[k] /= matrix[k][k];
    }
    return {right, logDeterminant};
}

/// [R F; F^T 0].
Rows bordered(const Runs &runs, const Form &form, const Hyperparameters &hyperparameters)
{
    Rows result = correlations(runs, form, hyperparameters);
    const std::size_t terms = 1 + form.linear.size();
    result.resize(runs.runs + terms);
    for (std::size_t i = 0; i < runs.runs; ++i) {
        const Row f = trend(placeOf(runs, i), form);
        for (std::size_t k = 0; k < terms; ++k) {
            result[i].push_back(f[k]);
            result[runs.runs + k].push_back(f[k]);
        }
    }
    for (std::size_t k = 0; k < terms; ++k)
        result[runs.runs + k].resize(runs.runs + terms, 0);
    return result;
}

} // namespace

long double correlation(std::span<const double> x, std::span<const double> y,
                        const Hyperparameters &hyperparameters, Smoothness smoothness)
{
    Real result = 1;
    for (std::size_t t = 0; t < x.size(); ++t) {
        Real from = x[t], to = y[t];
        if (hyperparameters.isWarped()) {
            from = warp(from, hyperparameters.warpA[t], hyperparameters.warpB[t]);
            to = warp(to, hyperparameters.warpA[t], hyperparameters.warpB[t]);
        }
        result *= oneDimensional(std::abs(from - to) / hyperparameters.lengths[t], smoothness);
    }
    return result;
}

Prediction predict(const Runs &runs, const Form &form, const Hyperparameters &hyperparameters,
                   std::span<const double> x)
{
    Row right;
    for (std::size_t i = 0; i < runs.runs; ++i)
        right.push_back(correlation(placeOf(runs, i), x, hyperparameters, form.smoothness));
    const Row f = trend(x, form);
    right.insert(right.end(), f.begin(), f.end());
    const Row weights = solve(bordered(runs, form, hyperparameters), right).first;
    Real value = 0, variance = 1;
    for (std::size_t i = 0; i < runs.runs; ++i)
        value += weights[i] * runs.values[i * runs.outputs];
    for (std::size_t i = 0; i < weights.size(); ++i)
        variance -= weights[i] * right[i];
    return {static_cast<double>(value), static_cast<double>(variance)};
}

std::vector<double> leaveOneOut(const Runs &runs, const Form &form,
                                const Hyperparameters &hyperparameters)
{
    std::vector<double> result;
    for (std::size_t out = 0; out < runs.runs; ++out) {
        std::vector<std::size_t> others;
        for (std::size_t i = 0; i < runs.runs; ++i)
            if (i != out)
                others.push_back(i);
        const auto prediction =
            predict(onlyRuns(runs, others), form, hyperparameters, placeOf(runs, out));
        result.push_back(runs.values[out * runs.outputs] - prediction.value);
    }
    return result;
}

double negativeLogLikelihood(const Runs &runs, const Form &form,
                             const Hyperparameters &hyperparameters)
{
    const auto matrix = bordered(runs, form, hyperparameters);
    const auto freedom = static_cast<Real>(runs.runs - 1 - form.linear.size());
    Real result = 0;
    for (std::size_t m = 0; m < runs.outputs; ++m) {
        Row right(matrix.size());
        for (std::size_t i = 0; i < runs.runs; ++i)
            right[i] = runs.values[i * runs.outputs + m];
        // |det [R F; F^T 0]| = det R det F^T R^-1 F.
        const auto [weights, logDeterminant] = solve(matrix, right);
        Real square = 0;
        for (std::size_t i = 0; i < runs.runs; ++i)
            square += right[i] * weights[i];
        result += (freedom * std::log(square / freedom) + logDeterminant) / 2;
    }
    for (const double length : hyperparameters.lengths)
        result += std::pow((std::log(Real{length}) - Real{0.5}) / Real{1.5}, 2) / 2;
    for (std::size_t t = 0; t < hyperparameters.warpA.size(); ++t)
        for (const double value : {hyperparameters.warpA[t], hyperparameters.warpB[t]})
            result += std::pow(std::log(Real{value}) / Real{0.5}, 2) / 2;
    return static_cast<double>(result);
}

} // namespace gridhelm::kriging::reference
