// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/padded_grid.h"
#include "core/solvers/sor/mlssor_tiling.h"

#include <cstddef>

namespace gridhelm::solvers {

/// Relaxes a rectangle of a 2D grid, unknown after unknown, x fastest, upwards or (`Step` = -1)
/// downwards:
///
///     u <- (1 - w) u + w / 4 (sum of neighbours + h^2 f)
///
/// `source` is h^2 f, or null. Ghost values are left alone.
///
/// An unknown waits for the one before it: a chain of multiplications and additions as long as the
/// row. So several rows are under way at once, each one unknown behind the row before it, which is
/// the same order as far as any unknown can tell.
template <int Step, typename T>
class LexicographicSweep
{
public:
    LexicographicSweep(PaddedGrid<T> &values, const PaddedGrid<T> *source, T w)
        : m_values(values)
        , m_source(source)
        , m_keep(1 - w)
        , m_weight(w / 4)
    {
    }

    void relax(const IndexRange &y, const IndexRange &x) const
    {
        if (x.begin >= x.end)
            return;
        auto rows = y.end - y.begin;
        for (auto j = Step > 0 ? y.begin : y.end - 1; rows > 0;) {
            const auto together = rows >= 4 ? 4 : 1;
            if (together == 4)
                relaxRows<4>(j, x);
            else
                relaxRows<1>(j, x);
            rows -= together;
            j += Step * together;
        }
    }

private:
    /// Rows j, j + Step, ...
    template <int Rows>
    void relaxRows(std::ptrdiff_t j, const IndexRange &x) const
    {
        const auto stride = Step * m_values.rowStride();
        const auto first = Step > 0 ? x.begin : x.end - 1;
        const auto width = x.end - x.begin;
        T *u = m_values.row(j) + first; // the t-th unknown of row r is u[Step t + r stride]
        const T *f = m_source ? m_source->row(j) + first : nullptr;
        T before[Rows];
        for (int r = 0; r < Rows; ++r)
            before[r] = u[r * stride - Step];
        const auto relaxOne = [&](int r, std::ptrdiff_t t) {
            T *at = u + r * stride + Step * t;
            const T others = at[Step] + at[stride] + at[-stride];
            const T rest = f ? others + f[r * stride + Step * t] : others;
            before[r] = (m_keep * *at + m_weight * rest) + m_weight * before[r];
            *at = before[r];
        };
        const auto relaxSome = [&](std::ptrdiff_t begin, std::ptrdiff_t end) {
            for (auto t = begin; t < end; ++t) {
                for (int r = 0; r < Rows; ++r) {
                    if (t - r >= 0 && t - r < width)
                        relaxOne(r, t - r);
                }
            }
        };
        const std::ptrdiff_t ramp = Rows - 1;
        if (width <= ramp) {
            relaxSome(0, width + ramp);
            return;
        }
        relaxSome(0, ramp);
        for (auto t = ramp; t < width; ++t) {
            for (int r = 0; r < Rows; ++r)
                relaxOne(r, t - r);
        }
        relaxSome(width, width + ramp);
    }

    PaddedGrid<T> &m_values;
    const PaddedGrid<T> *m_source;
    T m_keep;
    T m_weight;
};

} // namespace gridhelm::solvers
