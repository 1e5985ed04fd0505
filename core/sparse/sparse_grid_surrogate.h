// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/sparse_grid.h"
#include "core/surrogate/surrogate.h"

#include <memory>

namespace gridhelm::sparse {

/// A sparse grid whose rows are the hierarchical coefficients of its points, in storage order, and
/// whose groups are the grid's (docs/theory/evaluation.md, eq:weights).
///
/// Outside the cube `extrapolated` continues linearly, dimension by dimension, what the interpolant
/// does in the outermost cell of its finest level, in at most 12 dimensions at once; in dimensions
/// without hats the value and the slope at the end, in any number of them, since polynomials
/// themselves are of no use outside.
class SparseGridSurrogate final : public Surrogate
{
public:
    explicit SparseGridSurrogate(std::shared_ptr<const SparseGrid> grid);

    const std::shared_ptr<const SparseGrid> &grid() const { return m_grid; }

    int dimension() const override { return m_grid->dimension(); }
    int groups() const override { return m_grid->groups(); }
    using Surrogate::rows;
    std::uint64_t rows(int groups) const override { return m_grid->groupFirstPoint(groups); }
    /// Those whose functions are not 0 there: 2^k of a block with k paired levels, one of others.
    std::uint64_t activeRows(int groups) const override { return m_grid->activeFunctions(groups); }

    SparseWeights weights(std::span<const double> x, int groups,
                          OutOfRange outOfRange = OutOfRange::refused) const override;
    SparseWeights derivativeWeights(std::span<const double> x, int t, int groups,
                                    OutOfRange outOfRange = OutOfRange::refused) const override;

private:
    static constexpr int none = -1;
    SparseWeights combination(std::span<const double> x, int derived, int groups,
                              OutOfRange outOfRange) const;

    std::shared_ptr<const SparseGrid> m_grid;
};

} // namespace gridhelm::sparse
