// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi at the speed of memory: every value is read once and written once, past the caches, per
// iteration.
#include "core/solvers/jacobi/method.h"
#include "core/solvers/jacobi/range.h"
#include "core/solvers/jacobi/source_row.h"
#include "core/solvers/poisson/methods.h"
#include "core/support/flush_denormals.h"
#include "core/support/system_info.h"

#include <algorithm>

namespace gridhelm::solvers::jacobi {

namespace {

/// Below that many values a second thread costs more than it does.
constexpr std::size_t valuesPerThread = 16384;

template <typename T>
class Tuned final : public Method<T>
{
public:
    explicit Tuned(const JacobiState<T> &state)
    {
        const auto &n = state.problem.unknowns;
        const auto count = state.problem.count();
        const auto most = std::max<std::size_t>(1, count / valuesPerThread);
        m_threads = static_cast<int>(std::min(static_cast<std::size_t>(state.cpu.threads), most));
        if (2 * count * sizeof(T) > querySystemInfo().lastLevelCacheBytes)
            m_store = state.isNeumann(Side::xLow) || state.isNeumann(Side::xHigh)
                          ? Store::streamedButForEnds
                          : Store::streamed;
        // The rows that are worked on together should stay in half of a core's own cache, so that
        // only the foremost are read from memory: three rows, or in 3D rows of two planes more than
        // are updated side by side.
        const auto values = static_cast<std::size_t>(coreCacheBytes()) / 2 / 3 / sizeof(T);
        m_columns = static_cast<std::ptrdiff_t>(
            n[0] <= values ? n[0] : values / PaddedGrid<T>::lineValues * PaddedGrid<T>::lineValues);
        if (state.problem.dimension == 3)
            m_rows = static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(
                3 * values / (rowsSideBySide + 2) / n[0], std::min<std::size_t>(n[1], 4), n[1]));
        else
            m_rows = state.points(1);
    }

    typename Method<T>::Pass pass(JacobiState<T> &state, std::uint64_t most) override
    {
        const bool compares = most == 1;
        T largest = 0;
        if (m_threads == 1) {
            largest = updateSlab(state, 0, compares);
        } else {
#pragma omp parallel for schedule(static, 1) num_threads(m_threads) reduction(max : largest)
            for (int slab = 0; slab < m_threads; ++slab)
                largest = std::max(largest, updateSlab(state, slab, compares));
        }
        state.swap();
        return {1, compares ? static_cast<double>(largest) : StepReport::none};
    }

private:
    /// One thread's share: of the rows in 2D, of the planes in 3D.
    T updateSlab(JacobiState<T> &state, std::ptrdiff_t slab, bool compares) const
    {
        const FlushDenormals flush;
        const bool is3D = state.problem.dimension == 3;
        const auto share = part(state.points(is3D ? 2 : 1), slab, m_threads);
        const Range planes = is3D ? share : Range{0, 1};
        const Range rows = is3D ? Range{0, state.points(1)} : share;
        T largest = 0;
        for (auto i = std::ptrdiff_t{0}; i < state.points(0); i += m_columns) {
            const Range columns{i, std::min(i + m_columns, state.points(0))};
            for (auto j = rows.begin; j < rows.end; j += m_rows) {
                const Range block{j, std::min(j + m_rows, rows.end)};
                largest = std::max(largest, updateBlock(state, columns, block, planes, compares));
            }
        }
        finishStreaming();
        return largest;
    }

    T updateBlock(JacobiState<T> &state, Range columns, Range rows, Range planes,
                  bool compares) const
    {
        const bool hasNeumannSide = state.hasNeumannSide();
        const RowStrides strides{strideOf(state.present),
                                 state.source.grid ? strideOf(*state.source.grid) : 0,
                                 strideOf(state.next)};
        const auto count = static_cast<std::size_t>(columns.end - columns.begin);
        T largest = 0;
        const bool is3D = state.problem.dimension == 3;
        const Range across = is3D ? rows : Range{0, 1}; // the other direction than side by side
        const Range along = is3D ? planes : rows;
        for (auto first = along.begin; first < along.end;) {
            const auto step = std::min(rowsSideBySide, along.end - first);
            for (auto a = across.begin; a < across.end; ++a) {
                const auto largestOf = [&](std::ptrdiff_t at, bool together) {
                    const auto j = is3D ? a : at;
                    const auto k = is3D ? at : 0;
                    auto row = stencilRow(state.present, state.next, state.source, columns.begin, j,
                                          k, count);
                    row.fillsLine = true; // all there is beyond is the ghost, and it stays
                    const auto store = storeFor(state, j, k);
                    return together ? update(row, &strides, store, compares)
                                    : updateRowWithSpike(row, state.source.spikeIn(j, k),
                                                         columns.begin, store, compares);
                };
                if (areAlike(state, a, first, step)) {
                    largest = std::max(largest, largestOf(first, true));
                } else {
                    for (auto at = first; at < first + step; ++at)
                        largest = std::max(largest, largestOf(at, false));
                }
                if (!hasNeumannSide || columns.end != state.points(0))
                    continue;
                for (auto at = first; at < first + step; ++at)
                    setGhostsBeside(state.next, is3D ? a : at, is3D ? at : 0, state.problem.sides,
                                    state.problem.spacing);
            }
            first += step;
        }
        return largest;
    }

    /// From a row to the one side by side with it.
    static std::ptrdiff_t strideOf(const PaddedGrid<T> &grid)
    {
        return grid.dimension() == 3 ? grid.planeStride() : grid.rowStride();
    }

    /// Whether `count` rows can be updated side by side: in 2D rows first, first + 1, ..., in 3D
    /// rows `across` of these planes.
    bool areAlike(const JacobiState<T> &state, std::ptrdiff_t across, std::ptrdiff_t first,
                  std::ptrdiff_t count) const
    {
        if (count < rowsSideBySide)
            return false;
        const auto last = first + count - 1;
        const auto &spike = state.source.spike;
        if (state.problem.dimension == 3)
            return !(spike && spike->j == across && spike->k >= first && spike->k <= last)
                   && storeFor(state, across, first) == storeFor(state, across, last);
        return !(spike && spike->j >= first && spike->j <= last)
               && storeFor(state, first, 0) == storeFor(state, last, 0);
    }

    /// A row is kept in the cache if the ghosts beyond a Neumann side are made of it.
    Store storeFor(const JacobiState<T> &state, std::ptrdiff_t j, std::ptrdiff_t k) const
    {
        const bool makesGhosts =
            (j == 0 && state.isNeumann(Side::yLow))
            || (j + 1 == state.points(1) && state.isNeumann(Side::yHigh))
            || (state.problem.dimension == 3
                && ((k == 0 && state.isNeumann(Side::zLow))
                    || (k + 1 == state.points(2) && state.isNeumann(Side::zHigh))));
        return makesGhosts ? Store::cached : m_store;
    }

    int m_threads = 1;
    Store m_store = Store::cached;
    std::ptrdiff_t m_columns = 0; ///< of a block
    std::ptrdiff_t m_rows = 0;
};

template <typename T>
std::unique_ptr<PoissonIterations<T>> make(const PoissonProblem &problem, const OptionValues &,
                                           const ExecutionContext &context)
{
    return std::make_unique<CpuIterations<T>>(problem, context.cpu(), makeTuned<T>);
}

} // namespace

template <typename T>
std::unique_ptr<Method<T>> makeTuned(const JacobiState<T> &state)
{
    return std::make_unique<Tuned<T>>(state);
}

template std::unique_ptr<Method<float>> makeTuned<float>(const JacobiState<float> &);
template std::unique_ptr<Method<double>> makeTuned<double>(const JacobiState<double> &);

} // namespace gridhelm::solvers::jacobi

constinit const gridhelm::solvers::PoissonMethod gridhelm::solvers::tunedJacobi{
    .family = &jacobiFamily,
    .name = "tuned",
    .summary = "blocked, vectorised and parallel",
    .purpose = "The one to begin with: Jacobi's iterates, in 2D and 3D, as fast as memory delivers "
               "values. Jacobi needs many iterations; red-black SOR needs far fewer.",
    .solves3D = true,
    .reportsChange = true,
    .makeFloat = jacobi::make<float>,
    .makeDouble = jacobi::make<double>,
};
