// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/tuned_update.h"

#include "core/solvers/jacobi/source_row.h"
#include "core/support/flush_denormals.h"
#include "core/support/system_info.h"

#include <algorithm>
#include <array>

namespace gridhelm::solvers::jacobi {
namespace {

/// Below that many values a second thread costs more than it does.
constexpr std::size_t tunedValuesPerThread = 16384;

constexpr std::array valuesOfCacheShares{1, 2, 3, 4, 6, 8, 16};
constexpr std::array valuesOfStores{0, 1, 2};

constexpr TunableConstant cacheShareConstant{
    .name = "cache share",
    .meaning = "the part of a core's own cache that a block takes: one in so many",
    .values = valuesOfCacheShares,
    .compiledIn = 2};
constexpr TunableConstant storeConstant{
    .name = "store",
    .meaning = "new values: 1 into the caches, 2 past them, 0 past them "
               "where the grid is larger",
    .values = valuesOfStores,
    .compiledIn = 0,
    .partition = 1};

constexpr std::array<const TunableConstant *, 2> tunedConstants{&cacheShareConstant,
                                                                &storeConstant};

/// From a row to the one side by side with it.
template <typename T>
std::ptrdiff_t strideOf(const PaddedGrid<T> &grid)
{
    return grid.dimension() == 3 ? grid.planeStride() : grid.rowStride();
}

} // namespace

constinit const TunableOperation tunedTunable{"jacobi tuned", "cpu", tunedConstants};

TunedConstants::TunedConstants(const TuningTable &table, std::size_t valueBytes,
                               const PoissonProblem &problem)
{
    const auto key =
        keyOf(tunedTunable, valueBytes, static_cast<double>(problem.count()), problem.dimension);
    cacheShare = tunedValue(cacheShareConstant, table, key);
    store = tunedValue(storeConstant, table, key);
}

template <typename T>
TunedUpdate<T>::TunedUpdate(const JacobiState<T> &state, const TunedConstants &constants)
{
    const auto &n = state.problem.unknowns;
    const auto count = state.problem.count();
    const auto most = std::max<std::size_t>(1, count / tunedValuesPerThread);
    m_threads = static_cast<int>(std::min(static_cast<std::size_t>(state.cpu.threads), most));
    const bool isLarge = 2 * count * sizeof(T) > querySystemInfo().lastLevelCacheBytes;
    if (constants.store == 0 ? isLarge : constants.store == 2)
        m_store = state.isNeumann(Side::xLow) || state.isNeumann(Side::xHigh)
                      ? Store::streamedButForEnds
                      : Store::streamed;
    // The rows that are worked on together should stay in a part of a core's own cache, so that
    // only the foremost are read from memory: three rows, or in 3D rows of two planes more than
    // are updated side by side.
    const auto values =
        std::max(static_cast<std::size_t>(coreCacheBytes())
                     / static_cast<std::size_t>(constants.cacheShare) / 3 / sizeof(T),
                 PaddedGrid<T>::lineValues);
    m_columns = static_cast<std::ptrdiff_t>(
        n[0] <= values ? n[0] : values / PaddedGrid<T>::lineValues * PaddedGrid<T>::lineValues);
    if (state.problem.dimension == 3)
        m_rows = static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(
            3 * values / (rowsSideBySide + 2) / n[0], std::min<std::size_t>(n[1], 4), n[1]));
    else
        m_rows = state.points(1);
}

template <typename T>
T TunedUpdate<T>::operator()(JacobiState<T> &state, Range layers, bool compares) const
{
    if (m_threads == 1)
        return updateShare(state, layers, 0, compares);
    T largest = 0;
#pragma omp parallel for schedule(static, 1) num_threads(m_threads) reduction(max : largest)
    for (int share = 0; share < m_threads; ++share)
        largest = std::max(largest, updateShare(state, layers, share, compares));
    return largest;
}

/// One thread's: some of the layers, or, if there are fewer planes than threads, rows of all
/// planes.
template <typename T>
T TunedUpdate<T>::updateShare(JacobiState<T> &state, Range layers, std::ptrdiff_t share,
                              bool compares) const
{
    const FlushDenormals flush;
    const bool is3D = state.problem.dimension == 3;
    const bool dividesRows = is3D && layers.end - layers.begin < m_threads;
    const auto mine = part(layers.end - layers.begin, share, m_threads);
    const Range own{layers.begin + mine.begin, layers.begin + mine.end};
    const Range planes = !is3D ? Range{0, 1} : dividesRows ? layers : own;
    const Range rows = !is3D         ? own
                       : dividesRows ? part(state.points(1), share, m_threads)
                                     : Range{0, state.points(1)};
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

template <typename T>
T TunedUpdate<T>::updateBlock(JacobiState<T> &state, Range columns, Range rows, Range planes,
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
                auto row =
                    stencilRow(state.present, state.next, state.source, columns.begin, j, k, count);
                row.fillsLine = true; // all there is beyond is the ghost, and it stays
                const auto store = storeFor(state, j, k);
                return together ? update(row, &strides, store, compares)
                                : updateRowWithSpike(row, state.source.spikeIn(j, k), columns.begin,
                                                     store, compares);
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

/// Whether `count` rows can be updated side by side: in 2D rows first, first + 1, ..., in 3D
/// rows `across` of these planes.
template <typename T>
bool TunedUpdate<T>::areAlike(const JacobiState<T> &state, std::ptrdiff_t across,
                              std::ptrdiff_t first, std::ptrdiff_t count) const
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
template <typename T>
Store TunedUpdate<T>::storeFor(const JacobiState<T> &state, std::ptrdiff_t j,
                               std::ptrdiff_t k) const
{
    const bool makesGhosts =
        (j == 0 && state.isNeumann(Side::yLow))
        || (j + 1 == state.points(1) && state.isNeumann(Side::yHigh))
        || (state.problem.dimension == 3
            && ((k == 0 && state.isNeumann(Side::zLow))
                || (k + 1 == state.points(2) && state.isNeumann(Side::zHigh))));
    return makesGhosts ? Store::cached : m_store;
}

template class TunedUpdate<float>;
template class TunedUpdate<double>;

} // namespace gridhelm::solvers::jacobi
