// SPDX-License-Identifier: GPL-3.0-or-later
//
// What independent scramblings of Sobol' points say of a number, and how sure they are of it.
#pragma once

#include "core/support/error.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

namespace gridhelm::answers {

/// So many estimates, each of its own points: enough for a standard error.
inline constexpr std::size_t scramblings = 16;

/// Throws gridhelm::Error for fewer than 16 samples in each; `what`: "indices".
inline void requireEnoughSamples(std::size_t samples, std::string_view what)
{
    if (samples < 16 * scramblings)
        throw Error(fmt::format("{} samples are too few to say how sure the {} are: take at least "
                                "{}",
                                samples, what, 16 * scramblings));
}

/// Whether it is less than what rows in single precision can tell.
inline bool isRoundOff(double variance, double mean)
{
    return !(variance > 1e-13 * mean * mean) || variance <= 1e-300;
}

/// Mean and standard error of independent estimates, of which there are at least two.
struct Estimate
{
    double mean = 0, error = 0;
};

inline Estimate estimateOf(std::span<const double> values)
{
    const auto n = static_cast<double>(values.size());
    Estimate estimate;
    for (const double value : values)
        estimate.mean += value / n;
    for (const double value : values)
        estimate.error += (value - estimate.mean) * (value - estimate.mean);
    estimate.error = std::sqrt(estimate.error / (n - 1) / n);
    return estimate;
}

/// Half of the mean square difference: of values that have some parameters in common, and the
/// others anew, the variance that is left once these are known [Jansen1999].
inline double halfMeanSquare(std::span<const double> a, std::span<const double> b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sum / (2 * static_cast<double>(a.size()));
}

} // namespace gridhelm::answers
