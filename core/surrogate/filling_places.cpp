// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/surrogate/filling_places.h"

#include "core/support/error.h"
#include "core/support/uniform_random.h"
#include "core/surrogate/place.h"

#include <algorithm>
#include <limits>
#include <random>
#include <string>

namespace gridhelm {

namespace {

/// Products and sums of 4000 places with one work, by which all candidates of a place are bounded.
constexpr std::size_t mostCandidates = 1000, leastCandidates = 100, mostPairs = 500'000;

/// Of a coordinate that two places share: large, and still nothing that overflows in 32 parameters.
constexpr double sameCoordinate = 1e-8;

std::size_t candidatesBeside(std::size_t places)
{
    const auto few = mostPairs / std::max<std::size_t>(places, 1);
    return places == 0 ? 1 : std::clamp(few, leastCandidates, mostCandidates);
}

/// crowding(), but of what is above `enough` no more than that.
double crowdingUpTo(double enough, std::span<const double> x, std::span<const double> places)
{
    double sum = 0;
    for (std::size_t at = 0; at < places.size() && sum <= enough; at += x.size()) {
        double product = 1;
        for (std::size_t t = 0; t < x.size(); ++t) {
            const double distance = x[t] - places[at + t];
            product *= distance * distance + sameCoordinate;
        }
        sum += 1 / product;
    }
    return sum;
}

} // namespace

double crowding(std::span<const double> x, std::span<const double> places)
{
    return crowdingUpTo(std::numeric_limits<double>::infinity(), x, places);
}

FillingPlaces::FillingPlaces(int dimension, std::uint64_t seed)
    : m_dimension(static_cast<std::size_t>(std::max(dimension, 0)))
    , m_seed(seed)
{
    if (dimension < 1)
        throw Error("points need at least one coordinate, and these have "
                    + std::to_string(dimension));
}

void FillingPlaces::add(std::span<const double> place)
{
    requireCoordinates(place, static_cast<int>(m_dimension));
    if (!std::ranges::all_of(place, [](double x) { return x >= 0 && x <= 1; }))
        throw Error("a point that is to be filled around lies outside of the unit cube: leave it "
                    "out, or widen the ranges");
    m_places.insert(m_places.end(), place.begin(), place.end());
}

std::vector<double> FillingPlaces::candidates() const
{
    // A sequence of seeds: those of two numbers of places have nothing in common.
    std::seed_seq seeds{static_cast<std::uint32_t>(m_seed),
                        static_cast<std::uint32_t>(m_seed >> 32),
                        static_cast<std::uint32_t>(size())};
    std::mt19937_64 random(seeds);
    std::vector<double> all(candidatesBeside(size()) * m_dimension);
    for (double &coordinate : all)
        coordinate = uniformRandom(random);
    return all;
}

std::vector<double> FillingPlaces::next() const
{
    const auto all = candidates();
    double least = std::numeric_limits<double>::infinity();
    std::span<const double> best = std::span(all).first(m_dimension);
    for (std::size_t at = 0; at < all.size(); at += m_dimension) {
        const auto candidate = std::span(all).subspan(at, m_dimension);
        const double sum = crowdingUpTo(least, candidate, m_places);
        if (sum < least) {
            least = sum;
            best = candidate;
        }
    }
    return {best.begin(), best.end()};
}

} // namespace gridhelm
