// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the uncertainty of the parameters makes of responses and of fields.
#pragma once

#include "core/answers/density.h"
#include "core/answers/response_model.h"
#include "core/answers/sample_points.h"
#include "core/execution/device.h"
#include "core/linalg/combination.h"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace gridhelm::answers {

/// A share of samples, and between which shares the truth is for 19 of 20 such samples.
struct Proportion
{
    double share = 0, low = 0, high = 0;
};
/// Wilson's interval: of independent samples; others that fill the cube more evenly are nearer.
Proportion proportionOf(std::size_t count, std::size_t of);

struct Histogram
{
    double low = 0, high = 0;        ///< of all samples
    std::vector<std::size_t> counts; ///< of equal parts of low .. high
};

struct Spread
{
    double mean = 0, deviation = 0, low = 0, high = 0;
    std::vector<double> percentiles; ///< as many as shares were asked for
    std::optional<Proportion> above; ///< the threshold
    Histogram histogram;
    std::optional<Density> density; ///< of response values that have one: see densityOf()
};

/// Of at least two values. `shares`: 0 to 1, each.
Spread spreadOf(std::vector<double> values, std::span<const double> shares,
                std::optional<double> threshold, std::size_t bins);

/// Samples that are enough for a response; `isSlow`: a field has to be evaluated for each.
constexpr std::size_t usualSamples(bool isSlow)
{
    return isSlow ? 4096 : 65'536;
}

/// values[k][i] of response k at place i (samplePlaces()). Throws gridhelm::Error if memory does
/// not suffice.
std::vector<std::vector<double>> responsesAt(const ResponseModel &model,
                                             std::span<const double> places, const CpuDevice &cpu);

struct UncertaintyMaps
{
    std::vector<float> mean, deviation;
    std::vector<std::vector<float>> percentiles; ///< one for each share
    std::vector<float> above;                    ///< share of samples above the threshold
};

/// Of all columns of the rows, from the surrogate's fields at these places: a block of columns at a
/// time, so that memory is that of the results and of all places' weights. Throws gridhelm::Error
/// for fewer than two places, and if memory does not suffice.
UncertaintyMaps uncertaintyMaps(const Surrogate &surrogate, linalg::MatrixView<const float> rows,
                                std::span<const double> places, std::span<const double> shares,
                                std::optional<double> threshold, const CpuDevice &cpu);

} // namespace gridhelm::answers
