// SPDX-License-Identifier: GPL-3.0-or-later
//
// A sparse grid whose rows a study has in few bits. Private to data.
#pragma once

#include "core/sparse/sparse_grid_surrogate.h"
#include "data/study/study_types.h"

#include <memory>

namespace gridhelm::data {

/// The weights are those of the grid; the rows are within a tolerance of its coefficients.
class QuantisedGrid final : public Surrogate
{
public:
    /// `bits` has a residual for each point of the grid.
    QuantisedGrid(std::shared_ptr<const sparse::SparseGridSurrogate> ofRows,
                  std::shared_ptr<const QuantisedCoefficients> bits);

    const QuantisedCoefficients &bits() const { return *m_bits; }
    const sparse::SparseGridSurrogate &ofRows() const { return *m_ofRows; }

    int dimension() const override { return m_ofRows->dimension(); }
    int groups() const override { return m_ofRows->groups(); }
    using Surrogate::rows;
    std::uint64_t rows(int groups) const override { return m_ofRows->rows(groups); }
    std::uint64_t activeRows(int groups) const override { return m_ofRows->activeRows(groups); }
    SparseWeights weights(std::span<const double> x, int groups,
                          OutOfRange outOfRange = OutOfRange::refused) const override;
    SparseWeights derivativeWeights(std::span<const double> x, int t, int groups,
                                    OutOfRange outOfRange = OutOfRange::refused) const override;

    /// What bits add at most where these are the weights, relative to the norm
    /// (docs/theory/quantisation.md, eq:quantised-sum).
    double errorBound(const SparseWeights &weights) const;

private:
    std::shared_ptr<const sparse::SparseGridSurrogate> m_ofRows;
    std::shared_ptr<const QuantisedCoefficients> m_bits;
};

/// Null of other surrogates.
const QuantisedGrid *quantisedGridOf(const Surrogate &surrogate);

} // namespace gridhelm::data
