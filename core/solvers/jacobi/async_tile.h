// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/range.h"
#include "core/solvers/jacobi/source_row.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace gridhelm::solvers::jacobi {

/// A value of the present grid that another thread may be reading or writing: old or new, but
/// whole.
template <typename T>
T loadShared(const T &value)
{
    return std::atomic_ref<T>(const_cast<T &>(value)).load(std::memory_order_relaxed);
}
template <typename T>
void storeShared(T &shared, T value)
{
    std::atomic_ref<T>(shared).store(value, std::memory_order_relaxed);
}

/// A tile of the asynchronous methods: a copy of some unknowns in one core's cache, which iterates
/// on its own. Its fringe are the unknowns just outside of it; its penultimate fringe are its own
/// outermost ones, the fringe of its neighbours. Both are exchanged through the present grid, in
/// which nothing else is written during a launch.
template <typename T>
class AsyncTile
{
public:
    AsyncTile(JacobiState<T> &state, PaddedGrid<T> &values, PaddedGrid<T> &newValues)
        : m_state(state)
        , m_values(&values)
        , m_newValues(&newValues)
    {
    }

    std::ptrdiff_t rows() const { return m_rows.end - m_rows.begin; }

    /// Takes the tile's unknowns, and the fringe into both copies.
    void fetch(Range columns, Range rows)
    {
        m_columns = columns;
        m_rows = rows;
        for (std::ptrdiff_t r = 0; r < this->rows(); ++r) {
            const T *from = m_state.present.row(m_rows.begin + r) + m_columns.begin;
            std::copy(from, from + m_columns.size(), m_values->row(r));
        }
        for (int copy = 0; copy < 2; ++copy) {
            for (std::ptrdiff_t r = 0; r < this->rows(); ++r) {
                setSides(*m_values, r);
                fetchFringe(r);
            }
            std::swap(m_values, m_newValues);
        }
        // The second copy's own unknowns come with the first iteration; only sides of Neumann type
        // depend on them, and these are set again by it.
    }

    /// One iteration of row r, into the other copy, or in place.
    void updateRow(std::ptrdiff_t r, bool inPlace)
    {
        auto &to = inPlace ? *m_values : *m_newValues;
        update(r, to.row(r), Store::cached);
        setSides(to, r);
    }

    void swapCopies() { std::swap(m_values, m_newValues); }

    /// The closing iteration of row r, into the next grid.
    void updateTargetRow(std::ptrdiff_t r, Store store)
    {
        update(r, m_state.next.row(m_rows.begin + r) + m_columns.begin, store);
    }

    /// Shows row r's part of the penultimate fringe, in the copy that was updated, to the
    /// neighbours.
    void writeFringe(std::ptrdiff_t r, bool inPlace)
    {
        const T *from = (inPlace ? *m_values : *m_newValues).row(r);
        T *to = m_state.present.row(m_rows.begin + r) + m_columns.begin;
        const auto last = m_columns.end - m_columns.begin - 1;
        const bool isWhole = (r == 0 && hasRowBelow()) || (r + 1 == rows() && hasRowAbove());
        if (isWhole) {
            for (std::ptrdiff_t i = 0; i <= last; ++i)
                storeShared(to[i], from[i]);
            return;
        }
        if (hasColumnLeft())
            storeShared(to[0], from[0]);
        if (hasColumnRight())
            storeShared(to[last], from[last]);
    }

    /// Fetches the fringe beside row r, into the copy that was updated.
    void fetchFringe(std::ptrdiff_t r, bool inPlace)
    {
        fetchFringeInto(inPlace ? *m_values : *m_newValues, r);
    }

private:
    void fetchFringe(std::ptrdiff_t r) { fetchFringeInto(*m_values, r); }

    void fetchFringeInto(PaddedGrid<T> &grid, std::ptrdiff_t r)
    {
        const auto count = m_columns.end - m_columns.begin;
        const T *from = m_state.present.row(m_rows.begin + r) + m_columns.begin;
        T *to = grid.row(r);
        if (hasColumnLeft())
            to[-1] = loadShared(from[-1]);
        if (hasColumnRight())
            to[count] = loadShared(from[count]);
        if (r == 0 && hasRowBelow())
            fetchRow(from - m_state.present.rowStride(), grid.row(-1), count);
        if (r + 1 == rows() && hasRowAbove())
            fetchRow(from + m_state.present.rowStride(), grid.row(r + 1), count);
    }

    static void fetchRow(const T *from, T *to, std::ptrdiff_t count)
    {
        for (std::ptrdiff_t i = 0; i < count; ++i)
            to[i] = loadShared(from[i]);
    }

    /// Ghosts beyond the sides of the rectangle.
    void setSides(PaddedGrid<T> &grid, std::ptrdiff_t r)
    {
        const auto &sides = m_state.problem.sides;
        const auto h = m_state.problem.spacing;
        const auto count = m_columns.size();
        T *row = grid.row(r);
        if (!hasColumnLeft())
            row[-1] = ghostValue(sides[0], h, row[0]);
        if (!hasColumnRight())
            row[count] = ghostValue(sides[1], h, row[count - 1]);
        if (r == 0 && !hasRowBelow())
            setGhostRow(grid.row(-1), row, count, sides[2], h);
        if (r + 1 == rows() && !hasRowAbove())
            setGhostRow(grid.row(r + 1), row, count, sides[3], h);
    }

    void update(std::ptrdiff_t r, T *target, Store store)
    {
        const auto j = m_rows.begin + r;
        StencilRow<T> row;
        row.centre = m_values->row(r);
        row.below = m_values->row(r - 1);
        row.above = m_values->row(r + 1);
        if (const T *f = m_state.source.row(j, 0))
            row.source = f + m_columns.begin;
        row.target = target;
        row.count = m_columns.size();
        updateRowWithSpike(row, m_state.source.spikeIn(j, 0), m_columns.begin, store, false);
    }

    bool hasColumnLeft() const { return m_columns.begin > 0; }
    bool hasColumnRight() const { return m_columns.end < m_state.points(0); }
    bool hasRowBelow() const { return m_rows.begin > 0 || m_state.slab.hasLower(); }
    bool hasRowAbove() const { return m_rows.end < m_state.points(1) || m_state.slab.hasUpper(); }

    JacobiState<T> &m_state;
    PaddedGrid<T> *m_values; ///< the present copy
    PaddedGrid<T> *m_newValues;
    Range m_columns;
    Range m_rows;
};

} // namespace gridhelm::solvers::jacobi
