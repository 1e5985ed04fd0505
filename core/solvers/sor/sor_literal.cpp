// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/sor_literal.h"

#include "core/solvers/poisson_reference.h"
#include "core/solvers/sor/mlssor_tiling.h"

namespace gridhelm::solvers::reference {

LiteralSor::LiteralSor(const PoissonProblem &problem)
    : m_problem(problem)
    , m_source(sampleSource(problem))
    , m_values(problem.initialGuess.value_or(std::vector<double>(problem.count())))
{
}

void LiteralSor::relax(std::size_t i, std::size_t j, std::size_t k, double w)
{
    const auto index = (k * m_problem.unknowns[1] + j) * m_problem.unknowns[0] + i;
    const double f = m_source.empty() ? 0 : m_source[index];
    const double h2 = m_problem.spacing * m_problem.spacing;
    const double sum = sumOfNeighbours(m_problem, m_values, {i, j, k});
    m_values[index] = (1 - w) * m_values[index] + w * (sum + h2 * f) / (2 * m_problem.dimension);
}

void LiteralSor::forwardSweep(double w)
{
    for (std::size_t k = 0; k < m_problem.unknowns[2]; ++k) {
        for (std::size_t j = 0; j < m_problem.unknowns[1]; ++j) {
            for (std::size_t i = 0; i < m_problem.unknowns[0]; ++i)
                relax(i, j, k, w);
        }
    }
}

void LiteralSor::backwardSweep(double w)
{
    for (std::size_t k = m_problem.unknowns[2]; k-- > 0;) {
        for (std::size_t j = m_problem.unknowns[1]; j-- > 0;) {
            for (std::size_t i = m_problem.unknowns[0]; i-- > 0;)
                relax(i, j, k, w);
        }
    }
}

void LiteralSor::symmetricPair(double w)
{
    forwardSweep(w);
    backwardSweep(w);
}

void LiteralSor::redBlackSweep(double w)
{
    for (std::size_t colour = 0; colour < 2; ++colour) {
        for (std::size_t k = 0; k < m_problem.unknowns[2]; ++k) {
            for (std::size_t j = 0; j < m_problem.unknowns[1]; ++j) {
                for (std::size_t i = (colour + j + k) % 2; i < m_problem.unknowns[0]; i += 2)
                    relax(i, j, k, w);
            }
        }
    }
}

void LiteralSor::multiLayerSweep(double w, const MlssorShape &shape, bool backward)
{
    const MlssorTiling xTiling(shape, m_problem.unknowns[0]);
    const MlssorTiling yTiling(shape, m_problem.unknowns[1]);
    const auto relaxTile = [&](std::ptrdiff_t dy, int ty, std::ptrdiff_t dx, int tx) {
        for (std::ptrdiff_t layer = 0; layer < xTiling.layers(); ++layer) {
            const auto y = yTiling.tile(dy, ty, layer, backward);
            const auto x = xTiling.tile(dx, tx, layer, backward);
            for (auto a = y.begin; a < y.end; ++a) {
                for (auto b = x.begin; b < x.end; ++b) {
                    const auto j = backward ? y.begin + y.end - 1 - a : a;
                    const auto i = backward ? x.begin + x.end - 1 - b : b;
                    relax(static_cast<std::size_t>(i), static_cast<std::size_t>(j), 0, w);
                }
            }
        }
    };
    for (int ty : {0, 1}) {
        for (int tx : {0, 1}) {
            for (auto dy = yTiling.subdomains().begin; dy < yTiling.subdomains().end; ++dy) {
                for (auto dx = xTiling.subdomains().begin; dx < xTiling.subdomains().end; ++dx)
                    relaxTile(dy, ty, dx, tx);
            }
        }
    }
}

} // namespace gridhelm::solvers::reference
