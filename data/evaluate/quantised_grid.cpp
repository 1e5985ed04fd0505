// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/quantised_grid.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::data {

QuantisedGrid::QuantisedGrid(std::shared_ptr<const sparse::SparseGridSurrogate> ofRows,
                             std::shared_ptr<const QuantisedCoefficients> bits)
    : m_ofRows(std::move(ofRows))
    , m_bits(std::move(bits))
{
}

SparseWeights QuantisedGrid::weights(std::span<const double> x, int groups,
                                     OutOfRange outOfRange) const
{
    return m_ofRows->weights(x, groups, outOfRange);
}

SparseWeights QuantisedGrid::derivativeWeights(std::span<const double> x, int t, int groups,
                                               OutOfRange outOfRange) const
{
    return m_ofRows->derivativeWeights(x, t, groups, outOfRange);
}

double QuantisedGrid::errorBound(const SparseWeights &weights) const
{
    double sum = 0;
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        sum += std::abs(weights.weights[i])
               * std::max(0.0, static_cast<double>(m_bits->residuals[weights.rows[i]]));
    return sum;
}

const QuantisedGrid *quantisedGridOf(const Surrogate &surrogate)
{
    return dynamic_cast<const QuantisedGrid *>(&surrogate);
}

} // namespace gridhelm::data
