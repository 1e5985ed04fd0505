// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/sample_points.h"

#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <boost/math/distributions/normal.hpp>
#include <boost/random/sobol.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gridhelm::answers {

namespace {

using Engine = boost::random::sobol_engine<std::uint32_t, 32U>;

/// Any bits of these depend on all of the others (the finalizer of SplitMix64).
std::uint64_t mixed(std::uint64_t bits)
{
    bits += 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    return bits ^ (bits >> 31);
}

/// Each digit is flipped or not, by chance that depends on the digits before it.
std::uint32_t scrambled(std::uint32_t digits, std::uint64_t seed)
{
    std::uint32_t flips = 0;
    for (int i = 0; i < 32; ++i) {
        const std::uint64_t before = i == 0 ? 0 : digits >> (32 - i);
        const auto chance = mixed(
            seed ^ mixed((std::uint64_t{1} << i | before) * 64 + static_cast<std::uint64_t>(i)));
        flips = (flips << 1) | static_cast<std::uint32_t>(chance >> 63);
    }
    return digits ^ flips;
}

} // namespace

std::vector<double> scrambledPoints(std::size_t count, int dimension, std::uint64_t seed)
{
    if (dimension < 1 || dimension > 1000)
        throw Error(fmt::format("{} dimensions are not possible; take 1 to 1000", dimension));
    const auto d = static_cast<std::size_t>(dimension);
    requireMemory(sizeof(double) * static_cast<double>(count) * static_cast<double>(d),
                  fmt::format("{} samples of {} numbers", count, d), "take fewer samples");
    Engine engine(d);
    std::vector<double> points(count * d);
    for (std::size_t i = 0; i < points.size(); ++i) {
        // Boost leaves out the origin, with which the first block of 2^m points would be whole.
        const std::uint32_t digits = i < d ? 0 : engine();
        const auto bits = scrambled(digits, mixed(seed * 4099 + i % d));
        points[i] = (static_cast<double>(bits) + 0.5) * 0x1p-32;
    }
    return points;
}

std::vector<double> normalCorrelations(const Inputs &inputs)
{
    const auto d = static_cast<std::size_t>(inputs.dimension());
    std::vector<double> matrix(d * d, 0.0);
    for (std::size_t t = 0; t < d; ++t)
        matrix[t * d + t] = 1;
    for (std::size_t i = 0; i < inputs.rankCorrelations.size(); ++i)
        matrix[i] = 2 * std::sin(std::numbers::pi / 6 * inputs.rankCorrelations[i]);
    return matrix;
}

std::vector<double> lowerFactor(std::span<const double> matrix, std::size_t d)
{
    std::vector<double> factor(d * d, 0.0);
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = i == j ? 1 : matrix[i * d + j];
            for (std::size_t k = 0; k < j; ++k)
                sum -= factor[i * d + k] * factor[j * d + k];
            if (i == j && !(sum > 1e-12))
                throw Error("these correlations contradict each other (no values have all of them "
                            "at once): bring them nearer to 0");
            factor[i * d + j] = i == j ? std::sqrt(sum) : sum / factor[j * d + j];
        }
    return factor;
}

void requireCorrelations(const Inputs &inputs)
{
    if (inputs.rankCorrelations.empty())
        return;
    const auto d = static_cast<std::size_t>(inputs.dimension());
    if (inputs.rankCorrelations.size() != d * d)
        throw Error("there has to be one correlation for each pair of parameters");
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) {
            const double r = inputs.rankCorrelations[i * d + j];
            if (i == j ? r != 1 : !(std::abs(r) < 1) || r != inputs.rankCorrelations[j * d + i])
                throw Error("a correlation is a number between -1 and 1 (at these ends two "
                            "parameters were one), the same both ways: bring it nearer to 0");
        }
    lowerFactor(normalCorrelations(inputs), d);
}

namespace {

/// One number chooses the row of all parameters whose samples belong together.
void takeRows(const Inputs &inputs, const double *shares, double *place)
{
    for (const auto &joint : inputs.joint) {
        const auto count = static_cast<double>(joint.columns.front().size());
        const auto row = static_cast<std::size_t>(
            std::clamp(std::floor(shares[joint.parameters.front()] * count), 0.0, count - 1));
        for (std::size_t k = 0; k < joint.parameters.size(); ++k) {
            const auto t = joint.parameters[k];
            place[t] = inputs.distributions[t].toUnit(joint.columns[k][row]);
        }
    }
}

} // namespace

std::vector<double> samplePlaces(const Inputs &inputs, std::size_t count, std::uint64_t seed)
{
    requireCorrelations(inputs);
    const auto d = static_cast<std::size_t>(inputs.dimension());
    auto places = scrambledPoints(count, inputs.dimension(), seed);
    const auto factor = inputs.rankCorrelations.empty()
                            ? std::vector<double>()
                            : lowerFactor(normalCorrelations(inputs), d);
    const boost::math::normal_distribution<double> normal;
    std::vector<double> z(d), shares(d);
    for (std::size_t i = 0; i < count; ++i) {
        double *place = places.data() + i * d;
        std::copy_n(place, d, shares.begin());
        if (!factor.empty()) {
            for (std::size_t t = 0; t < d; ++t)
                z[t] = boost::math::quantile(normal, place[t]);
            for (std::size_t t = 0; t < d; ++t) {
                double sum = 0;
                for (std::size_t k = 0; k <= t; ++k)
                    sum += factor[t * d + k] * z[k];
                place[t] = boost::math::cdf(normal, sum);
            }
        }
        for (std::size_t t = 0; t < d; ++t)
            place[t] = inputs.distributions[t].unitQuantile(place[t]);
        takeRows(inputs, shares.data(), place);
    }
    return places;
}

} // namespace gridhelm::answers
