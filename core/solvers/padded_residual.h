// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/solvers/padded_grid.h"
#include "core/solvers/scaled_source.h"

#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace gridhelm::solvers {

/// Sum of the squares of one row of h^2 r = h^2 f + (sum of neighbours) - (4 or 6) u, in double.
template <typename T>
double squaredResidualOfRow(const PaddedGrid<T> &u, const ScaledSource<T> &source, std::ptrdiff_t j,
                            std::ptrdiff_t k)
{
    const T *centre = u.row(j, k);
    const T *f = source.row(j, k);
    const auto *spike = source.spikeIn(j, k);
    const bool is3D = u.dimension() == 3;
    const auto toRow = u.rowStride();
    const auto toPlane = u.planeStride();
    const auto at = [&](std::ptrdiff_t i) { return static_cast<double>(centre[i]); };
    const auto residual = [&](std::ptrdiff_t i) {
        double r = at(i - 1) + at(i + 1) + at(i - toRow) + at(i + toRow);
        if (is3D)
            r += at(i - toPlane) + at(i + toPlane);
        r -= (is3D ? 6 : 4) * at(i);
        if (f != nullptr)
            r += static_cast<double>(f[i]);
        if (spike != nullptr && spike->i == i)
            r += static_cast<double>(spike->value);
        return r;
    };
    // Several sums, so that no addition waits for the one before.
    std::array<double, 4> sums{};
    const auto count = static_cast<std::ptrdiff_t>(u.points()[0]);
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const double r = residual(i);
        sums[static_cast<std::size_t>(i) % 4] += r * r;
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// squaredResidualOfRow() of so many rows, from number `first` on, of all planes. The ghosts must
/// be up to date.
template <typename T>
void squaredResidualsOfRows(const PaddedGrid<T> &u, const ScaledSource<T> &source,
                            const CpuDevice &cpu, std::span<double> rows, std::size_t first = 0)
{
    const auto rowsOfPlane = u.points()[1];
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
    for (std::size_t r = 0; r < rows.size(); ++r)
        rows[r] =
            squaredResidualOfRow(u, source, static_cast<std::ptrdiff_t>((first + r) % rowsOfPlane),
                                 static_cast<std::ptrdiff_t>((first + r) / rowsOfPlane));
}

/// The 2-norm, from squaredResidualsOfRows(): added in order, so that it is the same for every
/// number of threads and slabs.
inline double normOfRows(std::span<const double> rows)
{
    double sum = 0;
    for (double row : rows)
        sum += row;
    return std::sqrt(sum);
}

/// The 2-norm of h^2 r. The ghosts must be up to date. The same for every number of threads.
template <typename T>
double scaledResidualNorm(const PaddedGrid<T> &u, const ScaledSource<T> &source,
                          const CpuDevice &cpu)
{
    std::vector<double> rows(u.points()[1] * u.points()[2]);
    squaredResidualsOfRows(u, source, cpu, rows);
    return normOfRows(rows);
}

} // namespace gridhelm::solvers
