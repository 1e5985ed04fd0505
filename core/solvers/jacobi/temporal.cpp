// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several Jacobi iterations in one pass over memory, on one device or divided among several.
#include "core/solvers/jacobi/cpu_shares.h"
#include "core/solvers/jacobi/method.h"
#include "core/solvers/jacobi/temporal_options.h"
#include "core/solvers/jacobi/temporal_update.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/poisson/tuned_option.h"

#include <algorithm>
#include <array>

namespace gridhelm::solvers::jacobi {

namespace {

constexpr int defaultDepth = 32;

template <typename T>
class Temporal final : public Method<T>
{
public:
    Temporal(const JacobiState<T> &state, int depth, int columns)
        : m_depth(depth)
        , m_update(state, depth, columns)
        , m_single(makeTuned(state))
    {
    }

    typename Method<T>::Pass pass(JacobiState<T> &state, std::uint64_t most) override
    {
        const auto depth = static_cast<int>(std::min(most, static_cast<std::uint64_t>(m_depth)));
        if (depth == 1)
            return m_single->pass(state, most);
        const bool compares = most == static_cast<std::uint64_t>(depth);
        const T largest = m_update(state, {0, state.points(1)}, depth, compares);
        state.swap();
        return {static_cast<std::uint64_t>(depth),
                compares ? static_cast<double>(largest) : StepReport::none};
    }

private:
    int m_depth;
    TemporalUpdate<T> m_update;
    std::unique_ptr<Method<T>> m_single; ///< for a last iteration that is left over
};

template <typename T>
std::unique_ptr<PoissonIterations<T>> makeTemporal(const PoissonProblem &problem,
                                                   const OptionValues &options,
                                                   const ExecutionContext &context)
{
    const int tuned =
        tunedOption(depthOption, options, context.tuning(),
                    keyOf(temporalTunable, sizeof(T), static_cast<double>(problem.count())));
    const int depth = tuned == 0 ? defaultDepth : tuned;
    if (context.sharesWork())
        return std::make_unique<DividedIterations<T>>(makeCpuShares<T>(problem, context, depth));
    const int columns = temporalColumns(context.tuning(), sizeof(T), problem.count());
    return std::make_unique<CpuIterations<T>>(
        problem, context.cpu(), [&](const JacobiState<T> &state) {
            return std::make_unique<Temporal<T>>(state, depth, columns);
        });
}

constexpr std::array<const Option *, 1> temporalOptions{&depthOption};

} // namespace
} // namespace gridhelm::solvers::jacobi

constinit const gridhelm::solvers::PoissonMethod gridhelm::solvers::temporalJacobi{
    .family = &jacobiFamily,
    .name = "temporal",
    .summary = "several iterations in one pass over memory, with the same values (2D)",
    .purpose = "For fields that are larger than the caches: the iterates of tuned, in less time "
               "where memory is what limits it.",
    .options = jacobi::temporalOptions,
    .isDivisible = true,
    .reportsChange = true,
    .granule =
        [](const OptionValues &options) {
            constexpr std::int64_t aboutItsOwn = 16;
            const auto depth = wholeOf(jacobi::depthOption, options);
            return static_cast<std::uint64_t>(depth > 0 ? depth : aboutItsOwn);
        },
    .makeFloat = jacobi::makeTemporal<float>,
    .makeDouble = jacobi::makeTemporal<double>,
};
