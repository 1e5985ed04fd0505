// SPDX-License-Identifier: GPL-3.0-or-later
//
// The SOR family word for word, serial and in double: what the fast sweeps are tested against.
#pragma once

#include "core/solvers/poisson_problem.h"
#include "core/solvers/sor/sor_options.h"

#include <array>
#include <cstddef>
#include <vector>

namespace gridhelm::solvers::reference {

/// Every sweep relaxes every unknown, with the latest values of its neighbours, in some order:
///
///     u <- (1 - w) u + w (sum of neighbours + h^2 f) / (4 or 6)
///
/// A Neumann neighbour is the unknown's own value before that, + h * derivative.
class LiteralSor
{
public:
    explicit LiteralSor(const PoissonProblem &problem);

    const std::vector<double> &values() const { return m_values; }

    /// x fastest, then y, then z; w = 1: Gauss-Seidel.
    void forwardSweep(double w);
    void backwardSweep(double w);
    /// SSOR, two iterations.
    void symmetricPair(double w);
    /// First the unknowns with even i + j + k, then the others.
    void redBlackSweep(double w);
    /// K iterations in one direction, 2D: the four kernels one after the other, in each one
    /// sub-domain after the other, in a tile layer by layer, in a layer lexicographically
    /// (y outer), all reversed in a backward sweep.
    void multiLayerSweep(double w, const MlssorShape &shape, bool backward);

private:
    void relax(std::size_t i, std::size_t j, std::size_t k, double w);

    PoissonProblem m_problem;
    std::vector<double> m_source;
    std::vector<double> m_values;
};

} // namespace gridhelm::solvers::reference
