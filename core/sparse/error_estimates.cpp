// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/error_estimates.h"

#include "core/sparse/nearest_point.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

namespace gridhelm::sparse {

template <typename T>
ErrorNorms errorNorms(std::span<const T> approximation, std::span<const T> exact)
{
    if (approximation.size() != exact.size() || exact.empty())
        throw Error("an error needs as many approximate values as exact ones, and at least one: "
                    "there are "
                    + std::to_string(approximation.size()) + " and "
                    + std::to_string(exact.size()));
    ErrorNorms norms;
    double errorSquares = 0, exactSquares = 0, largest = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        const auto value = static_cast<double>(exact[i]);
        const double error = std::abs(static_cast<double>(approximation[i]) - value);
        errorSquares += error * error;
        exactSquares += value * value;
        largest = std::max(largest, std::abs(value));
        // A NaN is the worst error of all and must not be passed over.
        if (error > norms.maximum || (std::isnan(error) && !std::isnan(norms.maximum))) {
            norms.maximum = error;
            norms.worst = i;
        }
    }
    norms.relativeL2 = std::sqrt(errorSquares) / (exactSquares > 0 ? std::sqrt(exactSquares) : 1);
    norms.relativeMaximum = norms.maximum / (largest > 0 ? largest : 1);
    return norms;
}

namespace {

bool isGridPoint(const SparseGrid &grid, std::span<const double> x)
{
    return pointNear(grid, x, 0).has_value();
}

/// Whether it is inside of the cube, but not near a grid point: there is hardly an error to see.
bool isUnseen(const SparseGrid &grid, std::span<const double> x)
{
    constexpr double near = 0.125;
    std::vector<double> nearest(x.size());
    bool isNear = true;
    for (std::size_t t = 0; t < x.size(); ++t) {
        if (!(x[t] > 0 && x[t] < 1))
            return false;
        const auto place = nearestCoordinate(grid, static_cast<int>(t), x[t]);
        nearest[t] = place.coordinate;
        isNear = isNear && place.distance <= near;
    }
    return !isNear || !isGridPoint(grid, nearest);
}

} // namespace

namespace {

/// Corners, and face centres: errors are the largest there, and no places are like them.
constexpr std::size_t mostOfEachEdge = 2;

} // namespace

std::vector<double> holdOutPoints(const SparseGrid &grid, std::size_t count, std::uint64_t seed,
                                  const PointRounding &rounding)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::mt19937_64 random(seed);
    std::vector<double> points;
    std::vector<double> x(d);
    const auto size = [&] { return points.size() / d; };
    std::set<std::vector<double>> taken;
    const auto addIfNew = [&] {
        if (!isGridPoint(grid, x) && taken.insert(x).second)
            points.insert(points.end(), x.begin(), x.end());
    };
    const auto ofEach = std::min(mostOfEachEdge, count / 8);

    for (std::size_t face = 0; face < 2 * d && size() < ofEach; ++face) {
        std::ranges::fill(x, 0.5);
        x[face / 2] = face % 2 == 0 ? 0.0 : 1.0;
        addIfNew();
    }
    const auto afterFaces = size();
    constexpr int draws = 8; // corners that are points of the grid, and the same one again
    for (int draw = 0; draw < draws && size() < afterFaces + ofEach; ++draw) {
        auto bits = random();
        for (double &coordinate : x) {
            coordinate = static_cast<double>(bits & 1U);
            bits >>= 1;
        }
        addIfNew();
    }
    std::uniform_real_distribution<double> uniform(0, 1);
    constexpr int patience = 1000; // draws, for there are not so many round points
    for (int inVain = 0; size() < count; ++inVain) {
        for (double &coordinate : x)
            coordinate = uniform(random);
        if (rounding && inVain < patience)
            rounding(x);
        const auto before = size();
        if (isUnseen(grid, x))
            addIfNew();
        if (size() > before && inVain < patience)
            inVain = -1;
    }
    return points;
}

template ErrorNorms errorNorms<float>(std::span<const float>, std::span<const float>);
template ErrorNorms errorNorms<double>(std::span<const double>, std::span<const double>);

} // namespace gridhelm::sparse
