// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where to run next so that the unit cube, and each of its projections, is filled
// (docs/theory/designs.md; [Joseph2015]).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm {

/// What a place would add to the maximum projection criterion of the `places` (designs.md,
/// eq:maximum-projection): the sum over these of 1 / prod_t ((x_t - y_t)^2 + 1e-8). Large near one,
/// and where a coordinate is nearly one of theirs. Coordinates are side by side, of whole places.
double crowding(std::span<const double> x, std::span<const double> places);

/// A sequence of places that goes on from any that there are. The next one is the least crowded of
/// some hundred random candidates, which are others for each number of places: it depends on
/// nothing but the seed and the places, in their order (by which sums are rounded). So a sequence
/// can be gone on with at any time, and how many are chosen at once does not matter.
class FillingPlaces
{
public:
    /// Throws gridhelm::Error for a dimension below 1.
    FillingPlaces(int dimension, std::uint64_t seed);

    /// One that there is. Throws gridhelm::Error for another number of coordinates, and for any
    /// that is not in [0, 1].
    void add(std::span<const double> place);
    std::size_t size() const { return m_places.size() / m_dimension; }

    /// Coordinates of the next place; the caller adds it, or one beside it. Takes time in
    /// proportion to size() up to 500 places; from then on candidates are fewer.
    std::vector<double> next() const;
    /// From which next() chooses: coordinates side by side.
    std::vector<double> candidates() const;

private:
    std::size_t m_dimension;
    std::uint64_t m_seed;
    std::vector<double> m_places; ///< coordinates side by side
};

} // namespace gridhelm
