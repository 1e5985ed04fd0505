// SPDX-License-Identifier: GPL-3.0-or-later
//
// Several exact Jacobi iterations in one pass over memory, 2D.
//
// The grid is cut into blocks of columns and slabs of rows, one slab a thread. A wavefront moves
// through a block: in each step iteration 1 does a few rows, iteration 2 the rows one before them,
// and so on, so that each finds its neighbours just made by the iteration before. The rows of
// iterations 1 .. depth - 1 are kept in a ring that fits into the core's cache; there, row j of
// iteration t takes the place of row j - 1 of iteration t - 1, which is needed by nobody any more:
//
//     slot of row j, iteration t:  j - t
//
// Iteration 0 is read from the present grid, and iteration `depth` is written to the next one. In
// between, rows are in lifted order (lifted_rows.h).
//
// Blocks do not wait for each other: what a block needs from outside it computes itself, `depth`
// rows beyond its slab and `depth` columns beyond its sides. The values at the outer ends of these
// columns are wrong, one column more in each iteration, and never reach the block.
#include "core/solvers/jacobi/temporal_update.h"

#include "core/solvers/jacobi/lifted_rows.h"
#include "core/solvers/jacobi/source_row.h"
#include "core/solvers/jacobi/temporal_options.h"
#include "core/support/flush_denormals.h"
#include "core/support/system_info.h"

#include <hwy/aligned_allocator.h>

#include <algorithm>
#include <array>
#include <new>

namespace gridhelm::solvers::jacobi {

namespace {

constexpr auto rowsAtOnce = static_cast<std::ptrdiff_t>(liftedRowsAtOnce);

constexpr std::array valuesOfDepths{0, 4, 6, 8, 12, 16, 24, 32, 48, 64};
constexpr std::array valuesOfColumnsOfBlock{256, 384, 512, 768, 1024, 1536, 2048, 4096};

constexpr TunableConstant depthConstant{.name = depthOption.key,
                                        .meaning = "iterations in one pass over memory",
                                        .values = valuesOfDepths,
                                        .compiledIn = 0};
// With the default the ring is well within a core's second cache; wider blocks compute fewer
// columns twice.
constexpr TunableConstant columnsConstant{.name = "columns",
                                          .meaning =
                                              "columns of a block, with those beyond its sides",
                                          .values = valuesOfColumnsOfBlock,
                                          .compiledIn = defaultTemporalColumns};

constexpr std::array<const TunableConstant *, 2> temporalConstants{&depthConstant,
                                                                   &columnsConstant};

/// Below that many values a second thread costs more than it does.
constexpr std::size_t valuesPerThread = 16384;

/// Rows in a ring.
template <typename T>
class RowRing
{
public:
    RowRing(std::ptrdiff_t rows, std::size_t columns)
        : m_rows(rows)
        , m_stride(static_cast<std::ptrdiff_t>(rowLines(columns / line + 2)) * line)
    {
        const auto size = static_cast<std::size_t>(m_stride * m_rows);
        m_memory = hwy::AllocateAligned<T>(size);
        if (!m_memory)
            throw std::bad_alloc();
        std::fill(m_memory.get(), m_memory.get() + size, T(0));
    }

    /// At a cache line, with room for one more on both ends.
    T *row(std::ptrdiff_t index)
    {
        const auto slot = (index % m_rows + m_rows) % m_rows;
        return m_memory.get() + slot * m_stride + line;
    }

private:
    static constexpr auto line = static_cast<std::ptrdiff_t>(PaddedGrid<T>::lineValues);

    std::ptrdiff_t m_rows;
    std::ptrdiff_t m_stride;
    hwy::AlignedFreeUniquePtr<T[]> m_memory;
};

/// What a thread works with.
template <typename T>
struct Workspace
{
    Workspace(std::ptrdiff_t depth, std::size_t columns, bool hasSourceGrid)
        : values(2 * depth + rowsAtOnce + 2, columns)
        , sources(hasSourceGrid ? depth + 2 * rowsAtOnce : 2, columns)
        , plain(3, columns)
    {
    }

    RowRing<T> values;  ///< of iterations 1 .. depth - 1
    RowRing<T> sources; ///< h^2 f of row j, lifted; or a row of zeros and the row with the spike
    RowRing<T> plain;   ///< of the last iteration, of the one before it, and with the spike
};

/// One pass through one block.
template <typename T>
class Wavefront
{
public:
    /// `inner`: the columns to iterate; `first`: the first column to compute.
    Wavefront(JacobiState<T> &state, Workspace<T> &work, int depth, Range inner,
              std::ptrdiff_t first, std::size_t vectors, Range rows, Store store)
        : m_state(state)
        , m_work(work)
        , m_kernels(liftedKernels<T>())
        , m_depth(depth)
        , m_inner(inner)
        , m_first(first)
        , m_rows(rows)
        , m_store(store)
    {
        m_shape.lanes = m_kernels.lanes;
        m_shape.vectors = vectors;
        if (first == 0)
            m_shape.left = ghostColumn(Side::xLow);
        const auto right = state.points(0) - first;
        if (right <= static_cast<std::ptrdiff_t>(m_shape.columns())) {
            m_shape.right = ghostColumn(Side::xHigh);
            m_shape.rightColumn = static_cast<std::size_t>(right);
        }
        if (const auto &spike = state.source.spike)
            liftSpike(*spike);
    }

    /// Returns the largest change in the last iteration if `compares`, otherwise 0.
    T run(bool compares)
    {
        T largest = 0;
        auto row = rowsOf(1).begin;
        for (; row - (m_depth - 1) < m_rows.end; row += rowsAtOnce) {
            for (int t = 1; t <= m_depth; ++t) {
                const auto wanted = rowsOf(t);
                const Range group{std::max(row - (t - 1), wanted.begin),
                                  std::min(row - (t - 1) + rowsAtOnce, wanted.end)};
                if (group.begin >= group.end)
                    continue;
                if (t == m_depth)
                    largest = std::max(largest, finishRows(group, compares));
                else if (t == 1)
                    beginRows(group);
                else
                    iterateRows(t, group);
                if (t < m_depth)
                    setGhostRows(t, group);
            }
        }
        return largest;
    }

private:
    /// Those of iteration t that the later iterations need.
    Range rowsOf(int t) const
    {
        const auto beyond = m_depth - t;
        return {std::max<std::ptrdiff_t>(m_rows.begin - beyond, 0),
                std::min(m_rows.end + beyond, m_state.points(1))};
    }

    T *row(int t, std::ptrdiff_t j) { return m_work.values.row(j - t); }

    /// Null where nothing is to be added.
    const T *liftedSource(std::ptrdiff_t j, bool besideSpike)
    {
        if (m_state.source.grid)
            return m_work.sources.row(j);
        if (!besideSpike)
            return nullptr;
        return m_work.sources.row(m_state.source.spike->j == j ? 1 : 0);
    }
    bool hasSpike(Range rows) const
    {
        const auto &spike = m_state.source.spike;
        return spike && spike->j >= rows.begin && spike->j < rows.end;
    }

    void beginRows(Range rows)
    {
        for (auto j = rows.begin; j < rows.end; ++j) {
            auto plain =
                stencilRow(m_state.present, m_state.next, m_state.source, m_first, j, 0, 0);
            if (hasSpike({j, j + 1}))
                plain.source = plainSpikeRow();
            const auto ahead = std::min(j + rowsAtOnce, m_state.points(1));
            m_kernels.iterateIntoLifted(plain, m_shape, row(1, j),
                                        m_state.present.row(ahead) + m_first);
            if (const T *f = m_state.source.row(j, 0))
                m_kernels.lift(f + m_first, m_shape, m_work.sources.row(j));
        }
    }

    void iterateRows(int t, Range rows)
    {
        const bool besideSpike = hasSpike(rows);
        LiftedRows<T> lifted;
        lifted.count = rows.size();
        for (std::size_t r = 0; r < lifted.count + 2; ++r)
            lifted.rows[r] = row(t - 1, rows.begin + static_cast<std::ptrdiff_t>(r) - 1);
        for (std::size_t r = 0; r < lifted.count; ++r)
            lifted.sources[r] =
                liftedSource(rows.begin + static_cast<std::ptrdiff_t>(r), besideSpike);
        m_kernels.iterate(lifted, m_shape);
    }

    T finishRows(Range rows, bool compares)
    {
        T largest = 0;
        const auto offset = m_inner.begin - m_first;
        for (auto j = rows.begin; j < rows.end; ++j) {
            const auto t = m_depth - 1;
            const LiftedRow<T> lifted{row(t, j - 1), row(t, j), row(t, j + 1),
                                      liftedSource(j, hasSpike({j, j + 1}))};
            T *plain = m_work.plain.row(0);
            m_kernels.iterateFromLifted(lifted, m_shape, plain);
            T *target = m_state.next.row(j) + m_inner.begin;
            if (m_store == Store::cached)
                std::copy(plain + offset, plain + offset + m_inner.size(), target);
            else
                m_kernels.stream(plain + offset, target, m_inner.size());
            if (compares) {
                T *before = m_work.plain.row(1);
                m_kernels.lower(lifted.centre, m_shape, before);
                largest = std::max(largest, m_kernels.largestDifference(
                                                plain + offset, before + offset, m_inner.size()));
            }
        }
        return largest;
    }

    /// The rows beyond the grid, beside the first or last one of it.
    void setGhostRows(int t, Range rows)
    {
        if (rows.begin == 0)
            setGhostRow(row(t, -1), row(t, 0), Side::yLow);
        if (rows.end == m_state.points(1))
            setGhostRow(row(t, rows.end), row(t, rows.end - 1), Side::yHigh);
    }
    void setGhostRow(T *ghosts, const T *inside, Side side)
    {
        const auto beyond = static_cast<std::ptrdiff_t>(m_shape.lanes);
        solvers::setGhostRow(
            ghosts - beyond, inside - beyond, m_shape.columns() + 2 * m_shape.lanes,
            m_state.problem.sides[static_cast<std::size_t>(side)], m_state.problem.spacing);
    }

    GhostColumn<T> ghostColumn(Side side) const
    {
        const auto &condition = m_state.problem.sides[static_cast<std::size_t>(side)];
        const bool follows = condition.kind == SideKind::neumann;
        return {
            true, follows,
            static_cast<T>(follows ? m_state.problem.spacing * condition.value : condition.value)};
    }

    /// The spike's row, in the block's columns, plainly and in lifted order.
    void liftSpike(const typename ScaledSource<T>::Spike &spike)
    {
        T *plain = plainSpikeRow();
        std::fill(plain, plain + m_shape.columns(), T(0));
        const auto column = spike.i - m_first;
        if (column >= 0 && column < static_cast<std::ptrdiff_t>(m_shape.columns()))
            plain[column] = spike.value;
        m_kernels.lift(plain, m_shape, m_work.sources.row(1));
    }
    T *plainSpikeRow() { return m_work.plain.row(2); }

    JacobiState<T> &m_state;
    Workspace<T> &m_work;
    const LiftedKernels<T> &m_kernels;
    LiftedShape<T> m_shape;
    int m_depth;
    Range m_inner;
    std::ptrdiff_t m_first;
    Range m_rows;
    Store m_store;
};

template <typename T>
constexpr auto line = static_cast<std::ptrdiff_t>(PaddedGrid<T>::lineValues);

std::ptrdiff_t roundUp(std::ptrdiff_t value, std::ptrdiff_t multiple)
{
    return (value + multiple - 1) / multiple * multiple;
}

} // namespace

constinit const TunableOperation temporalTunable{"jacobi temporal", "cpu", temporalConstants};

int temporalColumns(const TuningTable &table, std::size_t valueBytes, std::size_t unknowns)
{
    return tunedValue(columnsConstant, table,
                      keyOf(temporalTunable, valueBytes, static_cast<double>(unknowns)));
}

template <typename T>
struct TemporalUpdate<T>::Workspaces
{
    std::vector<Workspace<T>> all; ///< one for each thread
};

template <typename T>
TemporalUpdate<T>::TemporalUpdate(TemporalUpdate &&) noexcept = default;
template <typename T>
TemporalUpdate<T>::~TemporalUpdate() = default;

template <typename T>
TemporalUpdate<T>::TemporalUpdate(const JacobiState<T> &state, int mostDepth, int columns)
    : m_work(std::make_unique<Workspaces>())
{
    const auto count = state.problem.count();
    const auto most = std::max<std::size_t>(1, count / valuesPerThread);
    m_threads = static_cast<int>(std::min(static_cast<std::size_t>(state.cpu.threads), most));
    if (2 * count * sizeof(T) > querySystemInfo().lastLevelCacheBytes)
        m_store = Store::streamed;
    // Blocks of equal width, with none that is mostly halo.
    const auto halo = roundUp(mostDepth, line<T>);
    const auto width = state.points(0);
    const auto inner = std::max(columns - 2 * halo, 4 * halo);
    const auto blocks = width <= columns ? 1 : (width + inner - 1) / inner;
    m_columns = roundUp((width + blocks - 1) / blocks, line<T>);
    const auto lanes = static_cast<std::ptrdiff_t>(liftedKernels<T>().lanes);
    // Beyond the grid's end, in the widest vectors of 16 lanes, rows are read only that far.
    static_assert(16 * 16 + line<T> + 1 <= PaddedGrid<T>::readableBeyond);
    m_vectors = roundUp(m_columns + (blocks > 1 ? 2 * halo : 0), lanes * lanes) / lanes;
    for (int thread = 0; thread < m_threads; ++thread)
        m_work->all.emplace_back(mostDepth, static_cast<std::size_t>(m_vectors * lanes),
                                 state.source.grid.has_value());
}

template <typename T>
T TemporalUpdate<T>::operator()(JacobiState<T> &state, Range rows, int depth, bool compares)
{
    const auto rowsOf = [&](int thread) {
        const auto own = part(static_cast<std::ptrdiff_t>(rows.size()), thread, m_threads);
        return Range{rows.begin + own.begin, rows.begin + own.end};
    };
    T largest = 0;
    if (m_threads == 1) {
        largest = updatePart(state, rows, depth, 0, compares);
    } else {
#pragma omp parallel for schedule(static, 1) num_threads(m_threads) reduction(max : largest)
        for (int thread = 0; thread < m_threads; ++thread)
            largest = std::max(largest, updatePart(state, rowsOf(thread), depth, thread, compares));
    }
    if (state.hasNeumannSide()) {
        for (auto j = rows.begin; j < rows.end; ++j)
            setGhostsBeside(state.next, j, 0, state.problem.sides, state.problem.spacing);
    }
    return largest;
}

template <typename T>
T TemporalUpdate<T>::updatePart(JacobiState<T> &state, Range rows, int depth, int thread,
                                bool compares)
{
    const FlushDenormals flush;
    const auto width = state.points(0);
    const auto outer = m_vectors * static_cast<std::ptrdiff_t>(liftedKernels<T>().lanes);
    const auto halo = roundUp(depth, line<T>);
    T largest = 0;
    for (std::ptrdiff_t i = 0; i < width; i += m_columns) {
        const Range inner{i, std::min(i + m_columns, width)};
        // Not beyond the grid's end by more than it must.
        const auto last = roundUp(std::max<std::ptrdiff_t>(width - outer, 0), line<T>);
        const auto first = std::min(std::max<std::ptrdiff_t>(i - halo, 0), last);
        Wavefront<T> wavefront(state, m_work->all[static_cast<std::size_t>(thread)], depth, inner,
                               first, static_cast<std::size_t>(m_vectors), rows, m_store);
        largest = std::max(largest, wavefront.run(compares));
    }
    finishStreaming();
    return largest;
}

template class TemporalUpdate<float>;
template class TemporalUpdate<double>;

} // namespace gridhelm::solvers::jacobi
