// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/poisson/poisson_iterations.h"
#include "core/solvers/sor/sor_sweeper.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace gridhelm::solvers {

/// A sweeper with its relaxation factor and what it needs of the problem.
template <typename T>
class SorIterations final : public PoissonIterations<T>
{
public:
    /// The options have a relaxation factor.
    SorIterations(const PoissonProblem &problem, const OptionValues &options,
                  std::unique_ptr<SorSweeper<T>> sweeper);

    Advance advance(std::uint64_t iterations, const std::stop_token &stop) override;
    const RankSlabs *ranks() const override { return m_sweeper->ranks(); }
    void copyValues(std::span<T> values) const override;
    void setParameters(const PoissonProblem &problem) override;
    void setOption(const Option &option, double value) override;
    std::vector<ShareTimes> takeShareTimes() override { return m_sweeper->takeShareTimes(); }
    double scaledResidual() const override;

private:
    void loadSource(const PoissonProblem &problem);

    std::unique_ptr<SorSweeper<T>> m_sweeper;
    double m_relaxation;
    std::optional<SpikeSource> m_spike; ///< that the sweeper has
};

extern template class SorIterations<float>;
extern template class SorIterations<double>;

} // namespace gridhelm::solvers
