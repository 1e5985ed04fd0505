// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several exact Jacobi iterations in one pass over memory, 2D.
//
// The grid is cut into blocks of columns and slabs of rows, one slab a thread. A wavefront moves
// through a block: in each step iteration 1 does one row, iteration 2 the row before it, and so on,
//
//     row of iteration t in step s:  s - t
//
// so that each finds its three rows just made by the iteration before. Of iterations 1 .. depth - 1
// only three rows are kept, in a ring that fits into the core's cache; iteration 0 is read from the
// present grid and iteration `depth` written to the next one.
//
// Blocks do not wait for each other: what a block needs from outside it computes itself, `depth`
// rows beyond its slab and `depth` columns beyond its sides. The values at the outer ends of these
// columns are wrong, one column more in each iteration, and never reach the block.
#include "core/solvers/jacobi/method.h"
#include "core/solvers/jacobi/range.h"
#include "core/solvers/jacobi/source_row.h"
#include "core/support/system_info.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <new>
#include <vector>

namespace gridhelm::solvers::jacobi {

namespace {

constexpr int usualDepth = 16;
constexpr std::ptrdiff_t ringRows = 3;

/// Of all rings of a thread: well within the core's second cache of 1 MiB.
constexpr std::size_t ringBytes = std::size_t{384} << 10;

/// Below that many values a second thread costs more than it does.
constexpr std::size_t valuesPerThread = 16384;

/// The rows that one thread keeps of iterations 1 .. depth - 1.
template <typename T>
class Rings
{
public:
    Rings(int depth, std::size_t columns)
        : m_stride(static_cast<std::ptrdiff_t>(columns + 2 * line))
    {
        const auto size = static_cast<std::size_t>(m_stride * ringRows * std::max(depth - 1, 1));
        m_memory = hwy::AllocateAligned<T>(size);
        if (!m_memory)
            throw std::bad_alloc();
        std::fill(m_memory.get(), m_memory.get() + size, T(0));
    }

    /// -1 <= row; aligned, with room for a ghost on both ends.
    T *row(int iteration, std::ptrdiff_t row)
    {
        const auto slot = (iteration - 1) * ringRows + (row + ringRows) % ringRows;
        return m_memory.get() + slot * m_stride + static_cast<std::ptrdiff_t>(line);
    }

private:
    static constexpr std::size_t line = PaddedGrid<T>::lineValues;

    std::ptrdiff_t m_stride;
    hwy::AlignedFreeUniquePtr<T[]> m_memory;
};

/// One pass through one block.
template <typename T>
class Wavefront
{
public:
    Wavefront(JacobiState<T> &state, Rings<T> &rings, int depth, Range columns, Range rows,
              Store store)
        : m_state(state)
        , m_rings(rings)
        , m_depth(depth)
        , m_columns(columns)
        , m_rows(rows)
        , m_store(store)
    {
        constexpr auto line = static_cast<std::ptrdiff_t>(PaddedGrid<T>::lineValues);
        const auto halo = (depth + line - 1) / line * line;
        m_outer = {std::max<std::ptrdiff_t>(0, columns.begin - halo),
                   std::min(state.points(0), columns.end + halo)};
    }

    /// Returns the largest change in the last iteration if `compares`, otherwise 0.
    T run(bool compares)
    {
        T largest = 0;
        const auto last = m_rows.end - 1 + m_depth;
        for (auto step = m_rows.begin - m_depth; step <= last; ++step) {
            for (int t = 1; t < m_depth; ++t)
                updateRingRow(t, step - t);
            const auto j = step - m_depth;
            if (j >= m_rows.begin)
                largest = std::max(largest, updateTargetRow(j, compares));
        }
        return largest;
    }

private:
    /// Row j of iteration t, at the first outer column.
    const T *row(int t, std::ptrdiff_t j)
    {
        return t == 0 ? m_state.present.row(j) + m_outer.begin : m_rings.row(t, j);
    }

    void updateRingRow(int t, std::ptrdiff_t j)
    {
        const auto beyond = m_depth - t; // rows that the later iterations need
        const auto lastRow = m_state.points(1) - 1;
        if (j < m_rows.begin - beyond || j >= m_rows.end + beyond || j < 0 || j > lastRow + 1)
            return;
        if (j == lastRow + 1) {
            setGhostRow(t, j, lastRow, Side::yHigh);
            return;
        }
        StencilRow<T> stencil;
        stencil.centre = row(t - 1, j);
        stencil.below = row(t - 1, j - 1);
        stencil.above = row(t - 1, j + 1);
        if (const T *f = m_state.source.row(j, 0))
            stencil.source = f + m_outer.begin;
        stencil.target = m_rings.row(t, j);
        stencil.count = m_outer.size();
        updateRowWithSpike(stencil, m_state.source.spikeIn(j, 0), m_outer.begin, Store::cached,
                           false);
        setRowGhosts(stencil.target, stencil.count, m_state.problem.sides, m_state.problem.spacing);
        if (j == 0)
            setGhostRow(t, -1, 0, Side::yLow);
    }

    void setGhostRow(int t, std::ptrdiff_t ghosts, std::ptrdiff_t inside, Side side)
    {
        solvers::setGhostRow(m_rings.row(t, ghosts), row(t, inside), m_outer.size(),
                             m_state.problem.sides[static_cast<std::size_t>(side)],
                             m_state.problem.spacing);
    }

    T updateTargetRow(std::ptrdiff_t j, bool compares)
    {
        const auto inner = m_columns.begin - m_outer.begin;
        StencilRow<T> stencil;
        stencil.centre = row(m_depth - 1, j) + inner;
        stencil.below = row(m_depth - 1, j - 1) + inner;
        stencil.above = row(m_depth - 1, j + 1) + inner;
        if (const T *f = m_state.source.row(j, 0))
            stencil.source = f + m_columns.begin;
        stencil.target = m_state.next.row(j) + m_columns.begin;
        stencil.count = m_columns.size();
        return updateRowWithSpike(stencil, m_state.source.spikeIn(j, 0), m_columns.begin, m_store,
                                  compares);
    }

    JacobiState<T> &m_state;
    Rings<T> &m_rings;
    int m_depth;
    Range m_columns; ///< of the block
    Range m_outer;   ///< with those beyond its sides
    Range m_rows;
    Store m_store;
};

template <typename T>
class Temporal final : public Method<T>
{
public:
    Temporal(const JacobiState<T> &state, int depth)
        : m_depth(depth == 0 ? usualDepth : depth)
    {
        const auto count = state.problem.count();
        const auto most = std::max<std::size_t>(1, count / valuesPerThread);
        m_threads = static_cast<int>(std::min(static_cast<std::size_t>(state.threads), most));
        if (2 * count * sizeof(T) > querySystemInfo().lastLevelCacheBytes)
            m_store = Store::streamed;
        constexpr auto line = PaddedGrid<T>::lineValues;
        const auto halo = (static_cast<std::size_t>(m_depth) + line - 1) / line * line;
        const auto fitting =
            ringBytes / sizeof(T) / static_cast<std::size_t>(ringRows * std::max(m_depth - 1, 1));
        const auto most_columns = std::max(fitting / line * line, 6 * halo) - 2 * halo;
        // Blocks of equal width, with none that is mostly halo.
        const auto width = state.problem.unknowns[0];
        const auto blocks = (width + most_columns - 1) / most_columns;
        m_columns =
            static_cast<std::ptrdiff_t>(((width + blocks - 1) / blocks + line - 1) / line * line);
        for (int thread = 0; thread < m_threads; ++thread)
            m_rings.emplace_back(m_depth, static_cast<std::size_t>(m_columns) + 2 * halo);
    }

    typename Method<T>::Pass pass(JacobiState<T> &state, std::uint64_t most) override
    {
        const auto depth = static_cast<int>(std::min(most, static_cast<std::uint64_t>(m_depth)));
        const bool compares = most == static_cast<std::uint64_t>(depth);
        T largest = 0;
        if (m_threads == 1) {
            largest = updateSlab(state, depth, 0, compares);
        } else {
#pragma omp parallel for schedule(static, 1) num_threads(m_threads) reduction(max : largest)
            for (int slab = 0; slab < m_threads; ++slab)
                largest = std::max(largest, updateSlab(state, depth, slab, compares));
        }
        if (state.hasNeumannSide())
            setAllGhosts(state.next, state.problem.sides, state.problem.spacing);
        state.swap();
        return {static_cast<std::uint64_t>(depth),
                compares ? static_cast<double>(largest) : StepReport::none};
    }

private:
    T updateSlab(JacobiState<T> &state, int depth, int slab, bool compares)
    {
        const auto rows = part(state.points(1), slab, m_threads);
        T largest = 0;
        for (std::ptrdiff_t i = 0; i < state.points(0); i += m_columns) {
            const Range columns{i, std::min(i + m_columns, state.points(0))};
            Wavefront<T> wavefront(state, m_rings[static_cast<std::size_t>(slab)], depth, columns,
                                   rows, m_store);
            largest = std::max(largest, wavefront.run(compares));
        }
        finishStreaming();
        return largest;
    }

    int m_depth;
    int m_threads = 1;
    Store m_store = Store::cached;
    std::ptrdiff_t m_columns = 0;  ///< of a block
    std::vector<Rings<T>> m_rings; ///< of each thread
};

} // namespace

template <typename T>
std::unique_ptr<Method<T>> makeTemporal(const JacobiState<T> &state, int depth)
{
    return std::make_unique<Temporal<T>>(state, depth);
}

template std::unique_ptr<Method<float>> makeTemporal<float>(const JacobiState<float> &, int);
template std::unique_ptr<Method<double>> makeTemporal<double>(const JacobiState<double> &, int);

} // namespace gridhelm::solvers::jacobi
