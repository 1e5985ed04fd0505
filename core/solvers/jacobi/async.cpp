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
#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/jacobi/async_tile.h"
#include "core/solvers/jacobi/method.h"
#include "core/solvers/poisson/methods.h"
#include "core/support/flush_denormals.h"
#include "core/support/system_info.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace gridhelm::solvers::jacobi {

namespace {

/// Columns and rows of a tile: two copies of it should stay in a core's second cache of 1 MiB.
constexpr std::array<std::size_t, 2> defaultTile{512, 128};

template <typename T>
class Async final : public Method<T>
{
public:
    Async(const JacobiState<T> &state, AsyncVariant variant, const AsyncOptions &options)
        : m_variant(variant)
        , m_alpha(options.alpha)
    {
        if (2 * state.problem.count() * sizeof(T) > querySystemInfo().lastLevelCacheBytes)
            m_store = Store::streamed;
        constexpr auto line = PaddedGrid<T>::lineValues;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            auto size = options.tile[axis] == 0 ? defaultTile[axis] : options.tile[axis];
            size = std::min(size, state.problem.unknowns[axis]);
            // Tiles start at a cache line.
            m_tile[axis] =
                static_cast<std::ptrdiff_t>(axis == 0 ? (size + line - 1) / line * line : size);
        }
        m_threads = static_cast<int>(std::min<std::ptrdiff_t>(state.cpu.threads, tiles(state)));
        const std::array<std::size_t, 3> points{static_cast<std::size_t>(m_tile[0]),
                                                static_cast<std::size_t>(m_tile[1]), 1};
        for (int copy = 0; copy < 2 * m_threads; ++copy)
            m_copies.emplace_back(points, 2, CpuDevice{});
    }

    typename Method<T>::Pass pass(JacobiState<T> &state, std::uint64_t most) override
    {
        // The last launch is shorter if that many iterations are not wanted any more.
        const auto alpha =
            static_cast<int>(std::min(most - 1, static_cast<std::uint64_t>(m_alpha)));
#pragma omp parallel num_threads(m_threads)
        {
#pragma omp for schedule(static, 1)
            for (int thread = 0; thread < m_threads; ++thread)
                runThread(state, thread, alpha);
        }
        if (state.hasNeumannSide())
            setAllGhosts(state.next, state.problem.sides, state.problem.spacing);
        state.swap();
        return {static_cast<std::uint64_t>(alpha) + 1, StepReport::none};
    }

private:
    std::ptrdiff_t tilesInRow(const JacobiState<T> &state) const
    {
        return (state.points(0) + m_tile[0] - 1) / m_tile[0];
    }
    std::ptrdiff_t tiles(const JacobiState<T> &state) const
    {
        return tilesInRow(state) * ((state.points(1) + m_tile[1] - 1) / m_tile[1]);
    }

    /// One launch of the thread's share of the tiles.
    void runThread(JacobiState<T> &state, int thread, int alpha)
    {
        const FlushDenormals flush;
        const auto copy = 2 * static_cast<std::size_t>(thread);
        AsyncTile<T> tile(state, m_copies[copy], m_copies[copy + 1]);
        const auto share = part(tiles(state), thread, m_threads);
        for (auto index = share.begin; index < share.end; ++index) {
            const auto i = index % tilesInRow(state) * m_tile[0];
            const auto j = index / tilesInRow(state) * m_tile[1];
            tile.fetch({i, std::min(i + m_tile[0], state.points(0))},
                       {j, std::min(j + m_tile[1], state.points(1))});
            for (int iteration = 0; iteration < alpha; ++iteration)
                iterate(tile);
            for (std::ptrdiff_t r = 0; r < tile.rows(); ++r)
                tile.updateTargetRow(r, m_store);
        }
        finishStreaming();
    }

    void iterate(AsyncTile<T> &tile) const
    {
        const bool inPlace = m_variant == AsyncVariant::async3;
        const bool exchangesAtOnce = inPlace || m_variant == AsyncVariant::async1;
        for (std::ptrdiff_t r = 0; r < tile.rows(); ++r) {
            tile.updateRow(r, inPlace);
            if (exchangesAtOnce) {
                tile.writeFringe(r, inPlace);
                tile.fetchFringe(r, inPlace);
            }
        }
        if (m_variant == AsyncVariant::async0) {
            for (std::ptrdiff_t r = 0; r < tile.rows(); ++r)
                tile.writeFringe(r, inPlace);
            for (std::ptrdiff_t r = 0; r < tile.rows(); ++r)
                tile.fetchFringe(r, inPlace);
        }
        if (!inPlace)
            tile.swapCopies();
    }

    AsyncVariant m_variant;
    int m_alpha;
    Store m_store = Store::cached;
    int m_threads = 1;
    std::array<std::ptrdiff_t, 2> m_tile{};
    std::vector<PaddedGrid<T>> m_copies; ///< two for each thread
};

template <typename T, AsyncVariant variant>
std::unique_ptr<PoissonIterations<T>>
make(const PoissonProblem &problem, const OptionValues &options, const ExecutionContext &context)
{
    return std::make_unique<CpuIterations<T>>(
        problem, context.cpu(), [&](const JacobiState<T> &state) {
            return std::make_unique<Async<T>>(state, variant, asyncOptions(options));
        });
}

constexpr std::array<const Option *, 2> options{&alphaOption, &tileOption};

template <AsyncVariant variant>
constexpr PoissonMethod record(std::string_view name, std::string_view summary,
                               std::string_view purpose)
{
    return {
        .family = &jacobiFamily,
        .name = name,
        .summary = summary,
        .purpose = purpose,
        .options = options,
        .require = variant == AsyncVariant::async3 ? requireTile : requireEvenAlpha,
        .granule = launchIterations,
        .smallestStep = launchIterations,
        .makeFloat = make<float, variant>,
        .makeDouble = make<double, variant>,
    };
}

} // namespace
} // namespace gridhelm::solvers::jacobi

namespace gridhelm::solvers {

using jacobi::AsyncVariant;

constinit const PoissonMethod async0Jacobi = jacobi::record<AsyncVariant::async0>(
    "async0", "tiles iterate on their own for a while, with fringes after each iteration (2D)",
    "For fields that are larger than the caches: several iterations for each time that memory is "
    "read. The iterates differ from those of tuned, the solution does not.");
constinit const PoissonMethod async1Jacobi = jacobi::record<AsyncVariant::async1>(
    "async1", "the same with fringes row by row (2D)",
    "As async0, but each row of a tile exchanges its fringes at once, so that the neighbours have "
    "newer values.");
constinit const PoissonMethod async2Jacobi = jacobi::record<AsyncVariant::async2>(
    "async2", "the same with fringes from the launch before (2D)",
    "As async0, without any exchange between tiles until all have done their iterations: the "
    "cheapest iterations, with the oldest values.");
constinit const PoissonMethod async3Jacobi = jacobi::record<AsyncVariant::async3>(
    "async3", "as async1, in place (2D)",
    "As async1, with one copy of a tile in the cache instead of two, and new values are used at "
    "once.");

} // namespace gridhelm::solvers
