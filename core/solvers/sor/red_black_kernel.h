// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace gridhelm::solvers {

/// Some rows of one plane, of one colour, in split storage: unknown (i, j, k) is value i / 2 of row
/// (j, k) of its colour. All neighbours have the other colour; those in y and z have the same place
/// in their rows, those in x have that place and the one before (even i) or after it (odd i).
template <typename T>
struct ColouredRows
{
    T *own;
    const T *other;  ///< same row of the other colour
    const T *source; ///< h^2 f of this colour, or null
    std::ptrdiff_t rowStride;
    std::ptrdiff_t planeStride; ///< 0 in 2D
    std::size_t rows;
    std::size_t points; ///< unknowns of both colours in a row
    bool beginsOdd;     ///< i of the first value of the first row is 1; it alternates row by row
};

/// u <- keep u + weight (sum of neighbours + h^2 f) for all these unknowns.
template <typename T>
void relaxColour(const ColouredRows<T> &rows, T keep, T weight);

} // namespace gridhelm::solvers
