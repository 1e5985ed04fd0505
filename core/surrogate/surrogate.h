// SPDX-License-Identifier: GPL-3.0-or-later
//
// What every surrogate is to those who evaluate it: parameters in, weights over rows out. A field
// is the weighted sum of its rows (sparse::VectorEvaluator), a linear response the weighted sum of
// one number for each row (sparse::Evaluator::combine).
#pragma once

#include "core/surrogate/sparse_weights.h"

#include <cstdint>
#include <span>

namespace gridhelm {

/// What becomes of a place outside the unit cube.
enum class OutOfRange { refused, extrapolated };

/// Immutable, and thread-safe for concurrent calls.
///
/// Rows are in groups, those that say most first: the first groups alone are a coarser surrogate,
/// which needs no other rows. What a row is (hierarchical coefficients at a grid point, say) is a
/// matter between the surrogate and whoever stores the rows.
class Surrogate
{
public:
    virtual ~Surrogate() = default;

    /// Parameters.
    virtual int dimension() const = 0;

    virtual int groups() const = 0; ///< at least 1
    /// Rows of the first `groups` groups, 0 <= groups <= groups().
    virtual std::uint64_t rows(int groups) const = 0;
    std::uint64_t rows() const { return rows(groups()); }
    /// How many of them weights() names at most places: what an evaluation reads.
    virtual std::uint64_t activeRows(int groups) const = 0;

    /// At the point x of the unit cube, one coordinate for each parameter, by the first `groups`
    /// groups (taken into 1 .. groups()). Throws gridhelm::Error for another number of coordinates,
    /// for one that is not finite, and for one outside [0, 1] unless it is to be extrapolated.
    virtual SparseWeights weights(std::span<const double> x, int groups,
                                  OutOfRange outOfRange = OutOfRange::refused) const = 0;
    /// The derivative of weights() by coordinate t: to the right at kinks, to the left at 1. Errors
    /// as above, and for a t that is no parameter.
    virtual SparseWeights derivativeWeights(std::span<const double> x, int t, int groups,
                                            OutOfRange outOfRange = OutOfRange::refused) const = 0;
};

} // namespace gridhelm
