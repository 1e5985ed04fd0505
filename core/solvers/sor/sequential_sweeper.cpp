// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/padded_grid.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/sor/lexicographic_sweep.h"
#include "core/solvers/sor/padded_sweeper.h"
#include "core/solvers/sor/sor_iterations.h"
#include "core/solvers/sor/sor_options.h"
#include "core/support/flush_denormals.h"

#include <array>
#include <memory>

namespace gridhelm::solvers {

namespace {

/// Lexicographic SOR and SSOR, on one thread.
template <typename T>
class SequentialSweeper : public PaddedSweeper<T>
{
public:
    SequentialSweeper(const PoissonProblem &problem, SweepDirection direction)
        : PaddedSweeper<T>(problem, CpuDevice{})
        , m_direction(direction)
        , m_isBackward(direction == SweepDirection::backward)
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

template <typename T>
std::unique_ptr<PoissonIterations<T>>
makeSequential(const PoissonProblem &problem, const OptionValues &options, const ExecutionContext &)
{
    return std::make_unique<SorIterations<T>>(
        problem, options, std::make_unique<SequentialSweeper<T>>(problem, directionOf(options)));
}

constexpr std::array<const Option *, 2> sequentialOptions{&relaxationOption, &directionOption};

} // namespace

constinit const PoissonMethod sequentialSor{
    .family = &sorFamily,
    .name = "sequential",
    .summary = "unknown after unknown, forwards (SOR; with relaxation 1: Gauss-Seidel), backwards, "
               "or to and fro (SSOR, its sweeps count one by one) (2D)",
    .purpose = "To compare with books and papers: the unknowns come in the order of the formula, "
               "so that one thread does all of it.",
    .options = sequentialOptions,
    .isSerial = true,
    .chosenValue = optimalRelaxation,
    .granule = [](const OptionValues &options) -> std::uint64_t {
        return directionOf(options) == SweepDirection::alternating ? 2 : 1;
    },
    .makeFloat = makeSequential<float>,
    .makeDouble = makeSequential<double>,
};

} // namespace gridhelm::solvers
