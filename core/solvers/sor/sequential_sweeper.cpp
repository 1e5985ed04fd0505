// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/padded_grid.h"
#include "core/solvers/sor/lexicographic_sweep.h"
#include "core/solvers/sor/padded_sweeper.h"
#include "core/support/flush_denormals.h"

namespace gridhelm::solvers {

namespace {

/// Lexicographic SOR and SSOR, on one thread.
template <typename T>
class SequentialSweeper : public PaddedSweeper<T>
{
public:
    SequentialSweeper(const PoissonProblem &problem, const SorSettings &settings)
        : PaddedSweeper<T>(problem, CpuDevice{})
        , m_direction(settings.direction)
        , m_isBackward(settings.direction == SweepDirection::backward)
    {
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        const FlushDenormals flush;
        const auto &points = this->values().points();
        const IndexRange x{0, static_cast<std::ptrdiff_t>(points[0])};
        const IndexRange y{0, static_cast<std::ptrdiff_t>(points[1])};
        std::uint64_t done = 0;
        for (; done < iterations && !stop.stop_requested(); ++done) {
            if (m_isBackward)
                LexicographicSweep<-1, T>(this->values(), this->source(), w).relax(y, x);
            else
                LexicographicSweep<1, T>(this->values(), this->source(), w).relax(y, x);
            if (this->hasNeumannSide())
                this->setGhosts();
            if (m_direction == SweepDirection::alternating)
                m_isBackward = !m_isBackward;
        }
        return done;
    }

private:
    SweepDirection m_direction;
    bool m_isBackward; ///< the next sweep
};

} // namespace

template <typename T>
std::unique_ptr<SorSweeper<T>> makeSequentialSweeper(const PoissonProblem &problem,
                                                     const SorSettings &settings)
{
    return std::make_unique<SequentialSweeper<T>>(problem, settings);
}

template std::unique_ptr<SorSweeper<float>> makeSequentialSweeper(const PoissonProblem &,
                                                                  const SorSettings &);
template std::unique_ptr<SorSweeper<double>> makeSequentialSweeper(const PoissonProblem &,
                                                                   const SorSettings &);

} // namespace gridhelm::solvers
