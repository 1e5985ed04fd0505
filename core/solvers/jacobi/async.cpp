// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asynchronous Jacobi, 2D, after [Venkatasubramanian2009], chapter V, figures 17 to 20: in one
// launch every tile fetches its unknowns, does alpha iterations on its own, and one more into the
// next grid; only then all tiles synchronise. On a GPU a thread block has a tile in shared memory,
// here a thread has it in its cache. The variants differ in when a tile hears from its neighbours:
//
//     async0  after each iteration: shows its whole penultimate fringe, then fetches the fringe
//     async1  the same row by row while the iteration goes on, so it gets older and newer values
//     async2  only at the next launch
//     async3  as async1, but updates its unknowns in place, so that they mix old and new values
//
// A value that arrives late is an older iterate: the fixed point stays the same.
//
// Several devices exchange the rows at their borders once in a launch, with every variant: tiles on
// both sides of a border hear from each other as those of async2 do.
#include "core/solvers/jacobi/async_launch.h"
#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/jacobi/cpu_shares.h"
#include "core/solvers/jacobi/method.h"
#include "core/solvers/poisson/methods.h"

#include <algorithm>
#include <array>
#include <memory>

namespace gridhelm::solvers::jacobi {

namespace {

template <typename T>
class Async final : public Method<T>
{
public:
    Async(const JacobiState<T> &state, AsyncVariant variant, const AsyncOptions &options)
        : m_alpha(options.alpha)
        , m_launch(state, variant, options)
    {
    }

    typename Method<T>::Pass pass(JacobiState<T> &state, std::uint64_t most) override
    {
        // The last launch is shorter if that many iterations are not wanted any more.
        const auto alpha =
            static_cast<int>(std::min(most - 1, static_cast<std::uint64_t>(m_alpha)));
        m_launch(state, alpha);
        state.swap();
        return {static_cast<std::uint64_t>(alpha) + 1, StepReport::none};
    }

private:
    int m_alpha;
    AsyncLaunch<T> m_launch;
};

template <typename T, AsyncVariant variant>
std::unique_ptr<PoissonIterations<T>> makeAsync(const PoissonProblem &problem,
                                                const OptionValues &options,
                                                const ExecutionContext &context)
{
    const auto chosen = asyncOptions(options);
    if (context.sharesWork())
        return std::make_unique<DividedIterations<T>>(
            makeAsyncCpuShares<T>(problem, context, variant, chosen));
    return std::make_unique<CpuIterations<T>>(
        problem, context.cpu(), [&](const JacobiState<T> &state) {
            return std::make_unique<Async<T>>(state, variant, chosen);
        });
}

constexpr std::array<const Option *, 2> asyncOptionList{&alphaOption, &tileOption};

template <AsyncVariant variant>
constexpr PoissonMethod record(std::string_view name, std::string_view summary,
                               std::string_view purpose)
{
    return {
        .family = &jacobiFamily,
        .name = name,
        .summary = summary,
        .purpose = purpose,
        .options = asyncOptionList,
        .isDivisible = true,
        .require = variant == AsyncVariant::async3 ? requireTile : requireEvenAlpha,
        .granule = launchIterations,
        .smallestStep = launchIterations,
        .makeFloat = makeAsync<float, variant>,
        .makeDouble = makeAsync<double, variant>,
    };
}

} // namespace
} // namespace gridhelm::solvers::jacobi

namespace gridhelm::solvers {

using jacobi::AsyncVariant;

constinit const PoissonMethod async0Jacobi = jacobi::record<AsyncVariant::async0>(
    "async0",
    "tiles iterate on their own for a while, with a halo exchange after each iteration (2D)",
    "For fields that are larger than the caches: several iterations for each time that memory is "
    "read. The iterates differ from those of tuned, the solution does not.");
constinit const PoissonMethod async1Jacobi =
    jacobi::record<AsyncVariant::async1>("async1", "the same with a halo exchange row by row (2D)",
                                         "As async0, but each row of a tile exchanges its halo at "
                                         "once, so that the neighbours have newer values.");
constinit const PoissonMethod async2Jacobi = jacobi::record<AsyncVariant::async2>(
    "async2", "the same with halos from the launch before (2D)",
    "As async0, without any exchange between tiles until all have done their iterations: the "
    "cheapest iterations, with the oldest values.");
constinit const PoissonMethod async3Jacobi = jacobi::record<AsyncVariant::async3>(
    "async3", "as async1, in place (2D)",
    "As async1, with one copy of a tile in the cache instead of two, and new values are used at "
    "once.");

} // namespace gridhelm::solvers
