// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/surrogate/error_band.h"

#include "core/surrogate/score_band.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gridhelm {
namespace {

/// One place in so many may be outside.
std::size_t placesForOneOutside(std::size_t holdOuts)
{
    constexpr std::size_t twenty = 20, ten = 10;
    return holdOuts + 1 >= twenty ? twenty : holdOuts + 1 >= ten ? ten : holdOuts + 1;
}

/// One place in `outOf` may be outside.
std::optional<ErrorBand> bandOf(std::span<const HeldOutError> runs, double floor, std::size_t outOf)
{
    const auto isNorm = [](double value) { return std::isfinite(value) && value >= 0; };
    if (runs.empty() || !isNorm(floor) || !std::ranges::all_of(runs, [&](const auto &run) {
            return isNorm(run.error) && isNorm(run.indicator);
        }))
        return std::nullopt;
    std::vector<double> scores;
    for (const auto &run : runs)
        scores.push_back(scoreOf(run, floor));
    const auto n = runs.size();
    const auto rank = n + 1 - (n + 1) / outOf; // ceil, in integers
    std::ranges::nth_element(scores, scores.begin() + static_cast<std::ptrdiff_t>(rank - 1));
    const double quantile = scores[rank - 1];
    if (!std::isfinite(quantile))
        return std::nullopt;
    const double coverage = 1 - 1 / static_cast<double>(outOf);
    return bandOfScore(quantile, floor, coverage, n);
}

} // namespace

double claimableCoverage(std::size_t holdOuts)
{
    return 1 - 1 / static_cast<double>(placesForOneOutside(holdOuts));
}

std::optional<ErrorBand> calibratedBand(std::span<const HeldOutError> runs, double floor)
{
    return bandOf(runs, floor, placesForOneOutside(runs.size()));
}

std::optional<ErrorBand> crossValidatedBand(std::span<const HeldOutError> runs, double floor)
{
    constexpr std::size_t ten = 10;
    if (runs.size() + 1 < ten)
        return std::nullopt;
    auto band = bandOf(runs, floor, ten);
    if (band)
        band->holdOuts = 0;
    return band;
}

} // namespace gridhelm
