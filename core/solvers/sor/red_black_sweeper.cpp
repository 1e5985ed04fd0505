// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/padded_residual.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/poisson/tuned_option.h"
#include "core/solvers/sor/red_black_grid.h"
#include "core/solvers/sor/red_black_passes.h"
#include "core/solvers/sor/red_black_team.h"
#include "core/solvers/sor/sor_iterations.h"
#include "core/solvers/sor/sor_options.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace gridhelm::solvers {

namespace {

constexpr std::array valuesOfPasses{0, 1, 2, 3, 4, 6, 8, 12, 16};
constexpr TunableConstant passConstant{.name = "pass",
                                       .meaning = "iterations in one pass over memory",
                                       .values = valuesOfPasses,
                                       .compiledIn = 0};
constexpr std::array<const TunableConstant *, 1> redBlackConstants{&passConstant};

/// Several iterations in one pass over memory.
template <typename T>
class RedBlackSweeper : public SorSweeper<T>
{
public:
    /// Iterations in a pass; 0: as many as the cache has room for.
    RedBlackSweeper(const PoissonProblem &problem, std::size_t requestedPass, const CpuDevice &cpu)
        : m_grid(problem, wholeSlab(problem), cpu)
        , m_passes(m_grid, requestedPass)
    {
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        const auto perPass = m_passes.iterationsPerPass();
        std::uint64_t done = 0;
        while (done < iterations && !stop.stop_requested()) {
            const auto now = std::min<std::uint64_t>(perPass, iterations - done);
            m_passes.pass(now, w);
            done += now;
        }
        return done;
    }

    bool beginsWithZeros() const override { return true; }
    void setValues(std::span<const double> values) override { m_grid.setValues(values); }
    void copyValues(std::span<T> values) const override { m_grid.copyValues(values); }
    void setScaledSource(std::span<const double> scaled) override
    {
        m_grid.setScaledSource(scaled);
    }
    void setSides(const std::array<SideCondition, 6> &sides) override { m_grid.setSides(sides); }

    double scaledResidualNorm() const override
    {
        std::vector<double> rows(m_grid.unknowns()[1] * m_grid.unknowns()[2]);
        m_grid.squaredResiduals(rows);
        return normOfRows(rows);
    }

private:
    RedBlackGrid<T> m_grid;
    RedBlackPasses<T> m_passes;
};

template <typename T>
std::unique_ptr<PoissonIterations<T>> makeRedBlack(const PoissonProblem &problem,
                                                   const OptionValues &options,
                                                   const ExecutionContext &context)
{
    const auto pass = static_cast<std::size_t>(
        tunedOption(passOption, options, context.tuning(),
                    keyOf(redBlackTunable, sizeof(T), static_cast<double>(problem.count()),
                          problem.dimension)));
    if (context.sharesWork())
        return std::make_unique<SorIterations<T>>(problem, options,
                                                  makeRedBlackTeam<T>(problem, pass, context));
    return std::make_unique<SorIterations<T>>(
        problem, options, std::make_unique<RedBlackSweeper<T>>(problem, pass, context.cpu()));
}

constexpr std::array<const Option *, 2> redBlackOptions{&relaxationOption, &passOption};

} // namespace

constinit const TunableOperation redBlackTunable{"red-black", "cpu", redBlackConstants};

constinit const PoissonMethod redBlackSor{
    .family = &sorFamily,
    .name = "red-black",
    .summary = "all unknowns with even i + j + k, then all others: parallel, 2D and 3D",
    .purpose = "The one to begin with: far fewer iterations than Jacobi, on all threads. The "
               "relaxation factor decides how many; the default is close to the best.",
    .options = redBlackOptions,
    .solves3D = true,
    .isDivisible = true,
    .chosenValue = optimalRelaxation,
    .granule =
        [](const OptionValues &options) {
            const auto pass = static_cast<std::uint64_t>(wholeOf(passOption, options));
            return pass > 0 ? pass : std::uint64_t{RedBlackPasses<double>::mostIterations};
        },
    .makeFloat = makeRedBlack<float>,
    .makeDouble = makeRedBlack<double>,
};

} // namespace gridhelm::solvers
