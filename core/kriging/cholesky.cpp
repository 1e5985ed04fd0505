// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kriging/cholesky.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::kriging {

namespace {

/// Below this size loops are as fast.
constexpr std::size_t smallSize = 8;
/// A triangle is done in bands of so many rows or columns.
constexpr std::size_t bandSize = 48;

/// Half of the size, a multiple of a tile's columns where there is room for it.
std::size_t firstPart(std::size_t size)
{
    const std::size_t half = (size + 1) / 2;
    return half >= 24 ? half / 24 * 24 : half;
}

bool factorSmall(Block a, std::size_t size, double smallestPivot)
{
    for (std::size_t j = 0; j < size; ++j) {
        double pivot = a(j, j);
        for (std::size_t p = 0; p < j; ++p)
            pivot -= a(j, p) * a(j, p);
        if (!(pivot > smallestPivot))
            return false;
        a(j, j) = std::sqrt(pivot);
        for (std::size_t i = j + 1; i < size; ++i) {
            double sum = a(i, j);
            for (std::size_t p = 0; p < j; ++p)
                sum -= a(i, p) * a(j, p);
            a(i, j) = sum / a(j, j);
        }
    }
    return true;
}

void solveRightSmall(ConstBlock lower, Block x, std::size_t rows, std::size_t size)
{
    for (std::size_t j = 0; j < size; ++j) {
        double *column = &x(0, j);
        for (std::size_t p = 0; p < j; ++p) {
            const double share = lower.values[j + p * lower.stride];
            const double *earlier = &x(0, p);
            for (std::size_t i = 0; i < rows; ++i)
                column[i] -= share * earlier[i];
        }
        const double pivot = lower.values[j + j * lower.stride];
        for (std::size_t i = 0; i < rows; ++i)
            column[i] /= pivot;
    }
}

/// c -= a a^T, the lower triangle.
void subtractSquare(ConstBlock a, Block c, std::size_t size, std::size_t depth)
{
    for (std::size_t j = 0; j < size; j += bandSize) {
        const std::size_t columns = std::min(bandSize, size - j);
        addProduct(-1, a.from(j, 0), a.from(j, 0), c.from(j, j), size - j, columns, depth);
    }
}

/// v <- L^-T, which is an upper triangle; below it v is left as it is.
void invertTransposed(ConstBlock lower, Block v, std::size_t size)
{
    if (size <= smallSize) {
        for (std::size_t j = 0; j < size; ++j)
            for (std::size_t i = 0; i <= j; ++i)
                v(i, j) = i == j ? 1 : 0;
        for (std::size_t j = 0; j < size; ++j)
            solveRightSmall(lower.from(j, j), v.from(j, j), 1, size - j); // row j
        return;
    }
    const std::size_t first = firstPart(size), second = size - first;
    invertTransposed(lower, v, first);
    invertTransposed(lower.from(first, first), v.from(first, first), second);
    const Block corner = v.from(0, first);
    for (std::size_t j = 0; j < second; ++j)
        std::fill_n(&corner(0, j), first, 0.0);
    // -V11 L21^T L22^-T; row i of V11 begins at column i.
    for (std::size_t i = 0; i < first; i += bandSize)
        addProduct(-1, v.from(i, i), lower.from(first, i), corner.from(i, 0),
                   std::min(bandSize, first - i), second, first - i);
    solveRight(lower.from(first, first), corner, first, second);
}

} // namespace

bool factor(Block a, std::size_t size, double smallestPivot)
{
    if (size <= smallSize)
        return factorSmall(a, size, smallestPivot);
    const std::size_t first = firstPart(size), second = size - first;
    if (!factor(a, first, smallestPivot))
        return false;
    const Block below = a.from(first, 0), rest = a.from(first, first);
    solveRight(a, below, second, first);
    subtractSquare(below, rest, second, first);
    return factor(rest, second, smallestPivot);
}

void solveRight(ConstBlock lower, Block x, std::size_t rows, std::size_t size)
{
    if (size <= smallSize) {
        solveRightSmall(lower, x, rows, size);
        return;
    }
    const std::size_t first = firstPart(size), second = size - first;
    solveRight(lower, x, rows, first);
    addProduct(-1, x, lower.from(first, 0), x.from(0, first), rows, second, first);
    solveRight(lower.from(first, first), x.from(0, first), rows, second);
}

void invertFactored(ConstBlock lower, Block work, Block inverse, std::size_t size)
{
    for (std::size_t j = 0; j < size; ++j) {
        std::fill_n(&work(0, j), size, 0.0);
        std::fill_n(&inverse(0, j), size, 0.0);
    }
    invertTransposed(lower, work, size);
    // V V^T with V = L^-T; row i of V begins at column i.
    for (std::size_t i = 0; i < size; i += bandSize) {
        const std::size_t rows = std::min(bandSize, size - i);
        addProduct(1, work.from(i, i), work.from(0, i), inverse.from(i, 0), rows, i + rows,
                   size - i);
    }
}

} // namespace gridhelm::kriging
