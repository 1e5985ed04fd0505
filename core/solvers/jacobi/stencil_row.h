// SPDX-License-Identifier: GPL-3.0-or-later
//
// One Jacobi iteration of one row or a few, with the best SIMD instructions of this CPU.
#pragma once

#include <cstddef>

namespace gridhelm::solvers::jacobi {

/// Pointers to the first value of each row; one value more on both ends of `centre` is read.
template <typename T>
struct StencilRow
{
    const T *centre = nullptr;
    const T *below = nullptr; ///< neighbours in y
    const T *above = nullptr;
    const T *front = nullptr; ///< neighbours in z; both null in 2D
    const T *back = nullptr;
    const T *source = nullptr; ///< h^2 f, or null
    T *target = nullptr;       ///< aligned to a cache line; may be `centre` (see update)
    std::size_t count = 0;
    /// The rest of the row's last cache line may be written, too, with the values of `centre`, and
    /// is if values are streamed: a store of whole lines needs not read them first, and it costs a
    /// third to leave some over in short rows. All rows must be readable and `target` writable so
    /// far, and `centre` not be `target`.
    bool fillsLine = false;

    bool is3D() const { return front != nullptr; }
};

/// u_new of one value, and the order of its operations in all methods.
template <typename T>
T updatedValue(const StencilRow<T> &row, std::ptrdiff_t i, T scaledSource)
{
    T sum = (row.centre[i - 1] + row.centre[i + 1]) + (row.below[i] + row.above[i]);
    if (row.is3D())
        sum += row.front[i] + row.back[i];
    return (sum + scaledSource) * (row.is3D() ? T(1) / T(6) : T(1) / T(4));
}

enum class Store {
    cached,
    streamed,           ///< non-temporal, past the caches
    streamedButForEnds, ///< the same, but the values next to the ghosts will be read at once
};

/// From a row to the next that is updated side by side with it, in values. In 2D that is the row
/// above it, in 3D the row behind it.
struct RowStrides
{
    std::ptrdiff_t values = 0;
    std::ptrdiff_t source = 0;
    std::ptrdiff_t target = 0;
};

/// How many rows are updated side by side. Several streams keep the memory busier than one, but
/// more streams of non-temporal stores than a core has buffers for (8 and more) are the slowest way
/// of all.
inline constexpr std::ptrdiff_t rowsSideBySide = 6;

/// target = (neighbours + source) / (4 or 6) for `count` values of one row, or, with strides, of
/// rowsSideBySide rows, of which `first` is the first; nothing beyond them is written but for
/// fillsLine. Returns the largest |new - old| if `compares`, otherwise 0. With target = centre,
/// which only a single row may have, some values use their left neighbour's new value.
template <typename T>
T update(const StencilRow<T> &first, const RowStrides *strides, Store store, bool compares);

/// To be called after the last streamed store, before other threads read what was stored.
void finishStreaming();

} // namespace gridhelm::solvers::jacobi
