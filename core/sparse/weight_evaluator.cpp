// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/weight_evaluator.h"

#include "core/sparse/basis.h"
#include "core/support/error.h"

#include <algorithm>
#include <string>

namespace gridhelm::sparse {

namespace {

void requireDimension(const SparseGrid &grid, int t)
{
    if (t < 0 || t >= grid.dimension())
        throw Error("dimension " + std::to_string(t + 1) + " of a grid with "
                    + std::to_string(grid.dimension()));
}

} // namespace

WeightEvaluator::WeightEvaluator(const SparseGrid &grid)
    : m_grid(&grid)
    , m_x(static_cast<std::size_t>(grid.dimension()), 0.5)
{
    for (int t = 0; t < grid.dimension(); ++t) {
        m_firstFactor.push_back(m_factors.size());
        m_factors.resize(m_factors.size()
                         + static_cast<std::size_t>(ends + grid.highestLevel(t) + 1));
        setCoordinate(t, 0.5);
    }
}

void WeightEvaluator::setCoordinate(int t, double x)
{
    requireDimension(*m_grid, t);
    if (!(x >= 0 && x <= 1))
        throw Error("coordinate " + std::to_string(t + 1) + " is " + std::to_string(x)
                    + ", outside [0, 1]");
    const auto index = static_cast<std::size_t>(t);
    m_x[index] = x;
    auto *factor = m_factors.data() + m_firstFactor[index];
    for (std::uint32_t end = 0; end < ends; ++end)
        *factor++ = {end, endPointValue(end, x)};
    for (int level = 0; level <= m_grid->highestLevel(t); ++level) {
        const auto cell = cellOf(level, x);
        *factor++ = {cell.position, basisValue(m_grid->treatment(t), level, cell)};
    }
}

WeightEvaluator::FactorsOfDimensions WeightEvaluator::factors() const
{
    FactorsOfDimensions all;
    for (const auto first : m_firstFactor)
        all.push_back(m_factors.data() + first);
    return all;
}

SparseWeights WeightEvaluator::weights() const
{
    return weights(m_grid->groups());
}

SparseWeights WeightEvaluator::weights(int groups) const
{
    return products(factors(), groups);
}

SparseWeights WeightEvaluator::derivativeWeights(int t, int groups) const
{
    requireDimension(*m_grid, t);
    const auto index = static_cast<std::size_t>(t);
    std::vector<Factor> slopes;
    for (std::uint32_t end = 0; end < ends; ++end)
        slopes.push_back({end, endPointDerivative<double>(end)});
    for (int level = 0; level <= m_grid->highestLevel(t); ++level) {
        const auto cell = cellOf(level, m_x[index]);
        slopes.push_back({cell.position, basisDerivative(m_grid->treatment(t), level, cell)});
    }
    auto derived = factors();
    derived[index] = slopes.data();
    return products(derived, groups);
}

SparseWeights WeightEvaluator::products(const FactorsOfDimensions &factors, int groups) const
{
    groups = std::clamp(groups, 1, m_grid->groups());
    const auto d = static_cast<std::size_t>(m_grid->dimension());
    SparseWeights result;
    const auto lastGroup = m_grid->groupFirstBlock(groups - 1);
    const auto end = m_grid->groupFirstBlock(groups);
    for (std::size_t block = 0; block < end; ++block) {
        if (block == lastGroup)
            result.lastGroupBegin = result.rows.size();
        const auto levels = m_grid->levelVector(block);
        const int endPointDimensions = static_cast<int>(d) - freeDimensions(levels);
        for (std::uint64_t choice = 0; choice < std::uint64_t{1} << endPointDimensions; ++choice) {
            double weight = 1;
            std::uint64_t inBlock = 0;
            int choiceBit = endPointDimensions; // the first dimension's choice varies slowest
            for (std::size_t t = 0; t < d && weight != 0; ++t) {
                const auto &factor = levels[t] < 0 ? factors[t][(choice >> --choiceBit) & 1U]
                                                   : factors[t][ends + levels[t]];
                weight *= factor.value;
                inBlock = (inBlock << bitsInDimension(levels[t])) + factor.position;
            }
            if (weight == 0)
                continue;
            result.rows.push_back(m_grid->blockOffset(block) + inBlock);
            result.weights.push_back(weight);
        }
    }
    return result;
}

} // namespace gridhelm::sparse
