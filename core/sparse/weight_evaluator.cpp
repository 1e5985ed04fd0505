// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/weight_evaluator.h"

#include "core/sparse/basis.h"
#include "core/sparse/basis_functions.h"
#include "core/support/error.h"

#include <algorithm>
#include <cmath>
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
    , m_bases(grid.bases())
    , m_x(static_cast<std::size_t>(grid.dimension()), 0.5)
{
    for (int t = 0; t < grid.dimension(); ++t) {
        m_firstFactor.push_back(m_factors.size());
        m_factors.resize(m_factors.size() + static_cast<std::size_t>(grid.highestLevel(t) + 2));
        setFactors(t);
    }
}

void WeightEvaluator::setCoordinate(int t, double x)
{
    requireDimension(*m_grid, t);
    if (!(x >= 0 && x <= 1))
        throw Error("coordinate " + std::to_string(t + 1) + " is " + std::to_string(x)
                    + ", outside [0, 1]");
    m_x[static_cast<std::size_t>(t)] = x;
    setFactors(t);
}

void WeightEvaluator::setCoordinateOutside(int t, double x)
{
    requireDimension(*m_grid, t);
    if (!std::isfinite(x))
        throw Error("coordinate " + std::to_string(t + 1) + " is no number");
    const auto index = static_cast<std::size_t>(t);
    const double end = std::clamp(x, 0.0, 1.0);
    setCoordinate(t, end);
    std::vector<LevelFactors> slopes;
    fillSlopes(t, slopes);
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        for (std::size_t k = 0; k < 2; ++k)
            m_factors[m_firstFactor[index] + i].functions[k].value +=
                (x - end) * slopes[i].functions[k].value;
    }
}

void WeightEvaluator::setFactors(int t)
{
    const auto index = static_cast<std::size_t>(t);
    const auto basis = m_bases[index];
    const double x = m_x[index];
    auto *factor = m_factors.data() + m_firstFactor[index];
    *factor++ = {{{0, endPointValue(0, x)}, {1, endPointValue(1, x)}}};
    for (int level = 0; level <= m_grid->highestLevel(t); ++level) {
        if (hasHats(basis)) {
            const auto cell = cellOf(level, x);
            *factor++ = {{{cell.position, basisValue(basis.treatment, level, cell)}, {}}};
            continue;
        }
        std::size_t k = 0;
        for (const auto position : functionsAt(basis, level, x))
            factor->functions[k++] = {position, basisFunction(basis, level, position, x).value};
        ++factor;
    }
}

void WeightEvaluator::fillSlopes(int t, std::vector<LevelFactors> &slopes) const
{
    const auto index = static_cast<std::size_t>(t);
    const auto basis = m_bases[index];
    slopes.assign(1, {{{0, endPointDerivative<double>(0)}, {1, endPointDerivative<double>(1)}}});
    for (int level = 0; level <= m_grid->highestLevel(t); ++level) {
        LevelFactors factors{};
        std::size_t k = 0;
        for (const auto position : functionsAt(basis, level, m_x[index]))
            factors.functions[k++] = {position,
                                      basisFunction(basis, level, position, m_x[index]).slope};
        slopes.push_back(factors);
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
    std::vector<LevelFactors> slopes;
    fillSlopes(t, slopes);
    auto derived = factors();
    derived[static_cast<std::size_t>(t)] = slopes.data();
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
        int paired = 0;
        for (std::size_t t = 0; t < d; ++t)
            paired += isPaired(m_bases[t], levels[t]) ? 1 : 0;
        for (std::uint64_t choice = 0; choice < std::uint64_t{1} << paired; ++choice) {
            double weight = 1;
            std::uint64_t inBlock = 0;
            int choiceBit = paired; // the first dimension's choice varies slowest
            for (std::size_t t = 0; t < d && weight != 0; ++t) {
                const auto chosen =
                    isPaired(m_bases[t], levels[t]) ? (choice >> --choiceBit) & 1U : 0U;
                const auto &factor = factors[t][1 + levels[t]].functions[chosen];
                weight *= factor.value;
                inBlock =
                    (inBlock << bitsOfLevel(m_bases[t].treatment, levels[t])) + factor.position;
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
