// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/pmm_grids.h"

#include <algorithm>
#include <limits>

namespace gridhelm::solvers {
namespace {

std::array<std::size_t, 3> exchangedXY(const std::array<std::size_t, 3> &nodes)
{
    return {nodes[1], nodes[0], nodes[2]};
}

} // namespace

template <typename T>
PmmGrids<T> makePmmGrids(const std::array<std::size_t, 3> &nodes, const CpuDevice &cpu)
{
    return {PaddedGrid<T>(nodes, 3, cpu), PaddedGrid<T>(exchangedXY(nodes), 3, cpu)};
}

template <typename T>
double paddedValuesPerNode(const std::array<std::size_t, 3> &nodes)
{
    const auto padding = [](std::size_t count, double more) {
        const auto n = static_cast<double>(std::max<std::size_t>(count, 1));
        return (n + more) / n;
    };
    constexpr double rowPadding = 2 * static_cast<double>(PaddedGrid<T>::lineValues);
    return padding(nodes[0], rowPadding) * padding(nodes[1], 2) * padding(nodes[2], 2);
}

template <typename T>
double gridValuesPerNode(const std::array<std::size_t, 3> &nodes)
{
    return paddedValuesPerNode<T>(nodes) + paddedValuesPerNode<T>(exchangedXY(nodes));
}

template <typename T>
void fillAll(PaddedGrid<T> &grid, T value, const CpuDevice &cpu)
{
    const auto &points = grid.points();
    const auto planes = static_cast<std::ptrdiff_t>(points[2]);
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
    for (std::ptrdiff_t k = -1; k <= planes; ++k) {
        for (std::ptrdiff_t j = -1; j <= static_cast<std::ptrdiff_t>(points[1]); ++j) {
            T *row = grid.row(j, k) - 1;
            std::fill(row, row + grid.rowStride(), value);
        }
    }
}

template <typename T>
void exchangeXY(const PaddedGrid<T> &from, PaddedGrid<T> &to, std::size_t plane)
{
    constexpr std::size_t block = PaddedGrid<T>::lineValues;
    const auto k = static_cast<std::ptrdiff_t>(plane);
    const auto width = from.points()[0];
    const auto rows = from.points()[1];
    const auto stride = from.rowStride();
    for (std::size_t i = 0; i < width; i += block) {
        const auto iEnd = std::min(i + block, width);
        for (std::size_t j = 0; j < rows; j += block) {
            const auto jEnd = std::min(j + block, rows);
            for (std::size_t x = i; x < iEnd; ++x) {
                const T *source = from.row(0, k) + x;
                T *target = to.row(static_cast<std::ptrdiff_t>(x), k);
                for (std::size_t y = j; y < jEnd; ++y)
                    target[y] = source[static_cast<std::ptrdiff_t>(y) * stride];
            }
        }
    }
}

template <typename T>
void takeTimes(std::span<const T> times, PaddedGrid<T> &grid)
{
    grid.forEachRow([&](std::ptrdiff_t j, std::ptrdiff_t k, std::size_t first) {
        const auto row = times.subspan(first, grid.points()[0]);
        std::replace_copy(row.begin(), row.end(), grid.row(j, k),
                          std::numeric_limits<T>::infinity(), unreachedTime<T>);
    });
}

template <typename T>
void giveTimes(const PaddedGrid<T> &grid, std::span<T> times)
{
    grid.copyTo(times);
    std::replace_if(
        times.begin(), times.end(), [](T time) { return time >= unreachedTime<T> / 2; },
        std::numeric_limits<T>::infinity());
}

template <typename T>
void copyRows(const PaddedGrid<T> &from, RowPosition source, PaddedGrid<T> &to, RowPosition target,
              std::size_t rows)
{
    const auto at = [](auto &grid, RowPosition position, std::size_t row) {
        return grid.row(static_cast<std::ptrdiff_t>(position.j + row),
                        static_cast<std::ptrdiff_t>(position.k));
    };
    for (std::size_t row = 0; row < rows; ++row)
        std::copy_n(at(from, source, row), from.points()[0], at(to, target, row));
}

template <typename T>
void setCoefficients(const PmmRun &run, const std::array<std::size_t, 3> &first,
                     std::array<PaddedGrid<T> *, 2> grids, const CpuDevice &cpu)
{
    const auto &n = grids[0]->points();
#pragma omp parallel for schedule(static) num_threads(cpu.threads)
    for (std::size_t k = 0; k < n[2]; ++k) {
        for (std::size_t j = 0; j < n[1]; ++j) {
            const auto node = run.problem().nodeIndex(first[0], first[1] + j, first[2] + k);
            for (std::size_t i = 0; i < n[0]; ++i) {
                const auto values = run.coefficientsAt(node + i);
                for (std::size_t c = 0; c < 2; ++c)
                    grids[c]->row(static_cast<std::ptrdiff_t>(j),
                                  static_cast<std::ptrdiff_t>(k))[i] = static_cast<T>(values[c]);
            }
        }
    }
}

#define GRIDHELM_INSTANTIATE(T)                                                                    \
    template PmmGrids<T> makePmmGrids(const std::array<std::size_t, 3> &, const CpuDevice &);      \
    template double paddedValuesPerNode<T>(const std::array<std::size_t, 3> &);                    \
    template double gridValuesPerNode<T>(const std::array<std::size_t, 3> &);                      \
    template void fillAll(PaddedGrid<T> &, T, const CpuDevice &);                                  \
    template void exchangeXY(const PaddedGrid<T> &, PaddedGrid<T> &, std::size_t);                 \
    template void takeTimes(std::span<const T>, PaddedGrid<T> &);                                  \
    template void giveTimes(const PaddedGrid<T> &, std::span<T>);                                  \
    template void copyRows(const PaddedGrid<T> &, RowPosition, PaddedGrid<T> &, RowPosition,       \
                           std::size_t);                                                           \
    template void setCoefficients(const PmmRun &, const std::array<std::size_t, 3> &,              \
                                  std::array<PaddedGrid<T> *, 2>, const CpuDevice &)
GRIDHELM_INSTANTIATE(float);
GRIDHELM_INSTANTIATE(double);
#undef GRIDHELM_INSTANTIATE

} // namespace gridhelm::solvers
