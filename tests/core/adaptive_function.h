// SPDX-License-Identifier: GPL-3.0-or-later
//
// A function that is known at the points of an adaptive grid, word by word.
#pragma once

#include "core/sparse/adaptive_blocks.h"
#include "core/sparse/block_functions.h"
#include "tests/core/random.h"

#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace gridhelm::test {

class AdaptiveFunction
{
public:
    using Function = std::function<double(const std::vector<double> &)>;

    AdaptiveFunction(Function function, std::vector<sparse::DimensionBasis> bases)
        : m_function(std::move(function))
        , m_bases(std::move(bases))
    {
        Random random(7);
        for (int i = 0; i < 300; ++i) {
            auto &x = m_places.emplace_back();
            for (std::size_t t = 0; t < m_bases.size(); ++t)
                x.push_back(random.real());
        }
        sparse::LevelVector lowest;
        for (const auto basis : m_bases) {
            lowest.push_back(static_cast<sparse::Level>(sparse::lowestLevel(basis.treatment)));
            m_treatments.push_back(basis.treatment);
        }
        add(lowest);
    }

    /// Its values less what there is already, its gain, its runs.
    void add(const sparse::LevelVector &levels)
    {
        std::uint64_t points = 1;
        for (std::size_t t = 0; t < levels.size(); ++t)
            points *= sparse::pointsOfLevel(m_treatments[t], levels[t]);
        std::vector<double> coefficients;
        for (std::uint64_t p = 0; p < points; ++p) {
            std::vector<double> x(levels.size());
            auto rest = p;
            for (std::size_t t = levels.size(); t-- > 0;) {
                const auto extent = sparse::pointsOfLevel(m_treatments[t], levels[t]);
                x[t] = sparse::pointCoordinate(m_treatments[t], levels[t],
                                               static_cast<std::uint32_t>(rest % extent));
                rest /= extent;
            }
            coefficients.push_back(m_function(x) - value(x));
        }
        m_blocks.push_back({levels, {}});
        m_coefficients.push_back(std::move(coefficients));
        double squares = 0;
        for (const auto &x : m_places)
            squares += std::pow(contribution(m_blocks.size() - 1, x), 2);
        m_blocks.back().gain = std::sqrt(squares / static_cast<double>(m_places.size()));
        m_runs += points;
    }

    double contribution(std::size_t block, const std::vector<double> &x) const
    {
        const auto functions = sparse::blockFunctionsAt(m_bases, m_blocks[block].levels, x);
        double sum = 0;
        for (std::size_t i = 0; i < functions.positions.size(); ++i)
            sum += functions.values[i] * m_coefficients[block][functions.positions[i]];
        return sum;
    }
    double value(const std::vector<double> &x) const
    {
        double sum = 0;
        for (std::size_t block = 0; block < m_blocks.size(); ++block)
            sum += contribution(block, x);
        return sum;
    }

    /// Relative, in the L2 norm over random places.
    double error() const
    {
        Random random(11);
        double errors = 0, squares = 0;
        for (int i = 0; i < 1000; ++i) {
            std::vector<double> x;
            for (std::size_t t = 0; t < m_bases.size(); ++t)
                x.push_back(random.real());
            const double exact = m_function(x);
            errors += std::pow(value(x) - exact, 2);
            squares += exact * exact;
        }
        return std::sqrt(errors / squares);
    }

    const std::vector<sparse::KnownBlock> &blocks() const { return m_blocks; }
    const std::vector<sparse::BoundaryTreatment> &treatments() const { return m_treatments; }
    std::uint64_t runs() const { return m_runs; }

private:
    Function m_function;
    std::vector<sparse::DimensionBasis> m_bases;
    std::vector<sparse::BoundaryTreatment> m_treatments;
    std::vector<std::vector<double>> m_places;
    std::vector<sparse::KnownBlock> m_blocks;
    std::vector<std::vector<double>> m_coefficients;
    std::uint64_t m_runs = 0;
};

} // namespace gridhelm::test
