// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/density.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace gridhelm::answers {

namespace {

constexpr std::size_t bins = 1024;
constexpr double pi = std::numbers::pi;

/// The longest run of one value, but for round-off, and how many values there are.
struct Ties
{
    std::size_t longest = 0, values = 0;
};

Ties tiesOf(std::span<const double> sorted)
{
    const double largest = std::max(std::abs(sorted.front()), std::abs(sorted.back()));
    const double roundOff = std::max(1e-12 * (sorted.back() - sorted.front()),
                                     4 * std::numeric_limits<double>::epsilon() * largest);
    Ties ties;
    for (std::size_t i = 0; i < sorted.size();) {
        std::size_t end = i + 1;
        while (end < sorted.size() && sorted[end] - sorted[i] <= roundOff)
            ++end;
        ties.longest = std::max(ties.longest, end - i);
        ++ties.values;
        i = end;
    }
    return ties;
}

/// Coefficients a_k of the density 1 + 2 sum_k a_k cos(k pi s) of samples at s in [0, 1].
std::vector<double> cosineSeries(std::span<const double> sorted)
{
    std::vector<double> share(bins, 0.0), series(bins, 0.0), cosine(4 * bins);
    const double scale = static_cast<double>(bins) / (sorted.back() - sorted.front());
    for (const double value : sorted)
        share[std::min(static_cast<std::size_t>((value - sorted.front()) * scale), bins - 1)] +=
            1 / static_cast<double>(sorted.size());
    for (std::size_t j = 0; j < cosine.size(); ++j)
        cosine[j] = std::cos(pi * static_cast<double>(j) / (2 * bins));
    for (std::size_t k = 0; k < bins; ++k)
        for (std::size_t i = 0; i < bins; ++i)
            series[k] += share[i] * cosine[k * (2 * i + 1) % cosine.size()];
    return series;
}

/// The squared norm of the density's s-th derivative, once widened for the time t.
double derivativeNorm(std::span<const double> squares, int s, double t)
{
    double sum = 0;
    for (std::size_t k = 1; k < squares.size(); ++k) {
        const double square = static_cast<double>(k * k);
        sum += std::pow(square, s) * squares[k] * std::exp(-square * pi * pi * t);
    }
    return 2 * std::pow(pi, 2 * s) * sum;
}

/// t less the time that derivatives at t ask for, stage after stage: [Botev2010], Algorithm 1.
double timeTooLong(std::span<const double> squares, double count, double t)
{
    constexpr int stages = 7;
    double norm = derivativeNorm(squares, stages, t);
    for (int s = stages - 1; s >= 2; --s) {
        double odd = 1; // 1 * 3 * ... * (2 s - 1)
        for (int k = 3; k < 2 * s; k += 2)
            odd *= k;
        const double factor = (1 + std::pow(0.5, s + 0.5)) / 3;
        const double time =
            std::pow(2 * factor * odd / std::sqrt(2 * pi) / count / norm, 2.0 / (3 + 2 * s));
        norm = derivativeNorm(squares, s, time);
    }
    return t - std::pow(2 * count * std::sqrt(pi) * norm, -0.4);
}

/// The least time that asks for itself; the normal rule's without one.
double diffusionTime(std::span<const double> series, double count)
{
    std::vector<double> squares(series.size());
    for (std::size_t k = 0; k < squares.size(); ++k)
        squares[k] = series[k] * series[k];
    double low = 0;
    for (double high = 1e-9; high < 0.2; low = high, high *= 2) {
        if (!(timeTooLong(squares, count, high) > 0))
            continue;
        for (int i = 0; i < 40; ++i) {
            const double middle = (low + high) / 2;
            (timeTooLong(squares, count, middle) > 0 ? high : low) = middle;
        }
        return high;
    }
    return 0.28 * std::pow(count, -0.4);
}

} // namespace

std::optional<Density> densityOf(std::span<const double> sorted, std::size_t points)
{
    if (sorted.empty() || points < 2)
        return std::nullopt;
    const double range = sorted.back() - sorted.front();
    const double largest = std::max(std::abs(sorted.front()), std::abs(sorted.back()));
    if (!(range > 1e-12 * largest) || !std::isfinite(range))
        return std::nullopt;
    const auto ties = tiesOf(sorted);
    if (ties.longest > 1 && 100 * ties.longest >= sorted.size())
        return std::nullopt;
    const auto series = cosineSeries(sorted);
    // What is narrower than the distance of the curve's places, or than two bins, may not be seen.
    const double least = std::max(1 / static_cast<double>(points - 1), 2.0 / bins);
    const double time =
        std::max(diffusionTime(series, static_cast<double>(ties.values)), least * least);
    Density density{sorted.front(), sorted.back(), std::vector<double>(points),
                    std::sqrt(time) * range, 0};
    for (std::size_t i = 0; i < points; ++i) {
        const double s = static_cast<double>(i) / static_cast<double>(points - 1);
        double sum = 1;
        for (std::size_t k = 1; k < bins; ++k) {
            const double decay = std::exp(-static_cast<double>(k * k) * pi * pi * time / 2);
            if (decay < 1e-16)
                break;
            sum += 2 * series[k] * decay * std::cos(static_cast<double>(k) * pi * s);
        }
        density.values[i] = std::max(0.0, sum / range);
    }
    const auto highest = std::ranges::max_element(density.values) - density.values.begin();
    density.mostLikely =
        density.low + range * static_cast<double>(highest) / static_cast<double>(points - 1);
    return density;
}

} // namespace gridhelm::answers
