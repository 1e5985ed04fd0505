// SPDX-License-Identifier: GPL-3.0-or-later
//
// Rows of a block of columns in lifted order, in which a column's neighbours are in neighbouring
// vectors instead of neighbouring lanes: all loads are aligned, and a value loaded once serves as
// left neighbour, centre and right neighbour. With N lanes and V vectors, lane k of vector v holds
//
//     column k V + v
//
// [Henretty2011]. A row has one vector more on both ends, with the neighbours of its
// outermost vectors.
#pragma once

#include "core/solvers/jacobi/stencil_row.h"

#include <array>
#include <cstddef>

namespace gridhelm::solvers::jacobi {

/// How many rows are iterated at once at most: they share what they load.
inline constexpr std::size_t liftedRowsAtOnce = 4;

/// What lies beyond the ends of the grid's rows, if these are in the block.
template <typename T>
struct GhostColumn
{
    bool exists = false;
    bool follows = false; ///< Neumann: the neighbour's value + `value`; otherwise `value`
    T value = 0;

    T beside(T inside) const { return follows ? inside + value : value; }
};

template <typename T>
struct LiftedShape
{
    std::size_t lanes = 1;
    std::size_t vectors = 1;
    GhostColumn<T> left;         ///< at column -1 of the block
    GhostColumn<T> right;        ///< at column `rightColumn`
    std::size_t rightColumn = 0; ///< 1 .. columns(): columns from there on mean nothing

    std::size_t columns() const { return lanes * vectors; }
    /// Where column c is, counted from the first vector.
    std::size_t place(std::size_t c) const { return c % vectors * lanes + c / vectors; }
};

/// Row r is rows[r + 1], its neighbours rows[r] and rows[r + 2]; its new values go to rows[r],
/// which nobody needs any more.
template <typename T>
struct LiftedRows
{
    std::array<T *, liftedRowsAtOnce + 2> rows{};
    std::array<const T *, liftedRowsAtOnce> sources{}; ///< h^2 f, lifted; all null, or none
    std::size_t count = 0;                             ///< 1 .. liftedRowsAtOnce
};

template <typename T>
struct LiftedRow
{
    const T *below = nullptr;
    const T *centre = nullptr;
    const T *above = nullptr;
    const T *source = nullptr; ///< or null
};

/// For the best SIMD instructions of this CPU.
template <typename T>
struct LiftedKernels
{
    std::size_t lanes; ///< N; V must be a multiple of it

    /// One iteration of a row that lies plainly in memory (its `target` and `count` are not used),
    /// with the ghosts beyond its ends, into a lifted one. `ahead`, or null: a row that will be
    /// read soon.
    void (*iterateIntoLifted)(const StencilRow<T> &row, const LiftedShape<T> &shape, T *lifted,
                              const T *ahead);
    /// One iteration of one or several rows.
    void (*iterate)(const LiftedRows<T> &rows, const LiftedShape<T> &shape);
    /// One iteration of a lifted row into a plain one that begins at a cache line.
    void (*iterateFromLifted)(const LiftedRow<T> &row, const LiftedShape<T> &shape, T *plain);

    /// A plain row in lifted order, without the vectors beyond its ends, and the way back.
    void (*lift)(const T *plain, const LiftedShape<T> &shape, T *lifted);
    void (*lower)(const T *lifted, const LiftedShape<T> &shape, T *plain);

    /// Copies values past the caches (see finishStreaming()); both begin at a cache line.
    void (*stream)(const T *from, T *to, std::size_t count);

    /// The largest |a - b|.
    T (*largestDifference)(const T *a, const T *b, std::size_t count);
};

template <typename T>
const LiftedKernels<T> &liftedKernels();

} // namespace gridhelm::solvers::jacobi
