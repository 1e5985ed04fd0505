// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jacobi at the speed of memory: every value is read once and written once, past the caches, per
// iteration.
#include "core/solvers/jacobi/method.h"
#include "core/solvers/jacobi/range.h"
#include "core/solvers/jacobi/source_row.h"
#include "core/support/flush_denormals.h"
#include "core/support/system_info.h"

#include <algorithm>

namespace gridhelm::solvers::jacobi {

namespace {

/// Three neighbouring rows (2D) or rows of three neighbouring planes (3D) should stay in a core's
/// own cache, so that only the foremost is read from memory. Half of the 1 MiB that is common.
constexpr std::size_t cachedBytes = std::size_t{512} << 10;

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
        m_threads = static_cast<int>(std::min(static_cast<std::size_t>(state.threads), most));
        if (2 * count * sizeof(T) > querySystemInfo().lastLevelCacheBytes)
            m_store = state.isNeumann(Side::xLow) || state.isNeumann(Side::xHigh)
                          ? Store::streamedButForEnds
                          : Store::streamed;
        const auto values = cachedBytes / 3 / sizeof(T);
        m_columns = static_cast<std::ptrdiff_t>(
            n[0] <= values ? n[0] : values / PaddedGrid<T>::lineValues * PaddedGrid<T>::lineValues);
        if (state.problem.dimension == 3)
            m_rows = static_cast<std::ptrdiff_t>(
                std::clamp<std::size_t>(values / n[0], std::min<std::size_t>(n[1], 4), n[1]));
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
        const RowStrides strides{state.present.rowStride(),
                                 state.source.grid ? state.source.grid->rowStride() : 0,
                                 state.next.rowStride()};
        const auto count = static_cast<std::size_t>(columns.end - columns.begin);
        T largest = 0;
        for (auto k = planes.begin; k < planes.end; ++k) {
            for (auto j = rows.begin; j < rows.end;) {
                const auto row =
                    stencilRow(state.present, state.next, state.source, columns.begin, j, k, count);
                const bool together = areAlike(state, j, k, rows.end);
                const T change =
                    together ? update(row, &strides, storeFor(state, j, k), compares)
                             : updateRowWithSpike(row, state.source.spikeIn(j, k), columns.begin,
                                                  storeFor(state, j, k), compares);
                largest = std::max(largest, change);
                const auto end = together ? j + rowsSideBySide : j + 1;
                for (; j < end; ++j) {
                    if (hasNeumannSide && columns.end == state.points(0))
                        setGhostsBeside(state.next, j, k, state.problem.sides,
                                        state.problem.spacing);
                }
            }
        }
        return largest;
    }

    /// Whether the next few rows can be updated side by side.
    bool areAlike(const JacobiState<T> &state, std::ptrdiff_t j, std::ptrdiff_t k,
                  std::ptrdiff_t end) const
    {
        const auto last = j + rowsSideBySide - 1;
        const auto &spike = state.source.spike;
        return last < end && !(spike && spike->k == k && spike->j >= j && spike->j <= last)
               && storeFor(state, j, k) == storeFor(state, last, k);
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

} // namespace

template <typename T>
std::unique_ptr<Method<T>> makeTuned(const JacobiState<T> &state)
{
    return std::make_unique<Tuned<T>>(state);
}

template std::unique_ptr<Method<float>> makeTuned<float>(const JacobiState<float> &);
template std::unique_ptr<Method<double>> makeTuned<double>(const JacobiState<double> &);

} // namespace gridhelm::solvers::jacobi
