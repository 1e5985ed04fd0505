// SPDX-License-Identifier: GPL-3.0-or-later
//
// Correlations in one dimension (surrogates.md, eq:correlation): a factor times an exponential of
// the scaled distance s. Products over the dimensions need one exponential.
#pragma once

#include <numbers>
#include <string_view>

namespace gridhelm::kriging {

/// How often the surrogate's paths can be differentiated: once, twice, four times, without end.
enum class Smoothness { matern32, matern52, matern92, gaussian };

/// "Matern 3/2" and so on.
std::string_view nameOf(Smoothness smoothness);

/// s = scale |difference| / length; correlation = factor(s) exp(-exponent(s));
/// slope(s) = -(d log correlation / d s) / s, which is finite at 0.
template <Smoothness>
struct Correlation;

template <>
struct Correlation<Smoothness::matern32>
{
    static constexpr double scale = std::numbers::sqrt3;
    static double factor(double s) { return 1 + s; }
    static double exponent(double s) { return s; }
    static double slope(double s) { return 1 / (1 + s); }
};

template <>
struct Correlation<Smoothness::matern52>
{
    static constexpr double scale = 2.2360679774997896964; // sqrt(5)
    static double factor(double s) { return 1 + s * (1 + s * (1.0 / 3)); }
    static double exponent(double s) { return s; }
    static double slope(double s) { return (1 + s) / (3 * factor(s)); }
};

template <>
struct Correlation<Smoothness::matern92>
{
    static constexpr double scale = 3; // sqrt(9)
    static double factor(double s)
    {
        return 1 + s * (1 + s * (3.0 / 7 + s * (2.0 / 21 + s * (1.0 / 105))));
    }
    static double exponent(double s) { return s; }
    static double slope(double s)
    {
        return (1 + s * (1 + s * (2.0 / 5 + s * (1.0 / 15)))) / (7 * factor(s));
    }
};

template <>
struct Correlation<Smoothness::gaussian>
{
    static constexpr double scale = 1;
    static double factor(double) { return 1; }
    static double exponent(double s) { return s * s / 2; }
    static double slope(double) { return 1; }
};

/// action(Correlation<smoothness>{}).
template <typename Action>
decltype(auto) withCorrelation(Smoothness smoothness, Action action)
{
    switch (smoothness) {
    case Smoothness::matern32:
        return action(Correlation<Smoothness::matern32>{});
    case Smoothness::matern52:
        return action(Correlation<Smoothness::matern52>{});
    case Smoothness::matern92:
        return action(Correlation<Smoothness::matern92>{});
    case Smoothness::gaussian:
        break;
    }
    return action(Correlation<Smoothness::gaussian>{});
}

} // namespace gridhelm::kriging
