// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/polynomial_poles.h"

#include "core/sparse/level_vector.h"
#include "core/sparse/omp/polynomial_kernel.h"
#include "core/sparse/unfolded/state_functions.h"

#include <algorithm>
#include <array>

namespace gridhelm::sparse::omp {

template <typename T>
PolynomialPoles<T>::PolynomialPoles(DimensionBasis basis)
    : m_basis(basis)
{
    if (basis.treatment == BoundaryTreatment::leja)
        return;
    const auto inCells = hasCells(basis.treatment) ? basis.treatment : BoundaryTreatment::boundary;
    m_inCells = basis.degree == 1 ? poleTransform<T>(inCells)
                                  : polynomialTransform<T>({inCells, basis.degree});
}

template <typename T>
void PolynomialPoles<T>::transform(Transform transform, std::span<T *const> levels,
                                   std::size_t outer, std::size_t stride) const
{
    if (m_basis.treatment == BoundaryTreatment::leja) {
        transformLeja(transform, levels, outer * stride);
    } else if (m_basis.treatment == BoundaryTreatment::clenshawCurtis) {
        transformClenshawCurtis(transform, levels, outer, stride);
    } else {
        const bool hasEnds = hasEndPoints(m_basis.treatment);
        m_inCells(transform, {hasEnds ? levels.subspan(1) : levels,
                              hasEnds ? levels.front() : nullptr, outer, stride});
    }
}

template <typename T>
void PolynomialPoles<T>::transformClenshawCurtis(Transform transform, std::span<T *const> levels,
                                                 std::size_t outer, std::size_t stride) const
{
    // With the middle and the ends exchanged it is `boundary`.
    std::array<T *, maximumLevel + 1> cells{};
    cells[0] = levels[0];
    std::copy(levels.begin() + 2, levels.end(), cells.begin() + 1);
    T *middle = levels[0], *ends = levels[1];
    const BlockPole<T> pole{{cells.data(), levels.size() - 1}, ends, outer, stride};

    const auto size = outer * stride;
    static thread_local std::vector<T> values; // at the middle
    values.assign(middle, middle + size);
    const auto forEachEnd = [&](auto use) {
        for (std::size_t o = 0; o < outer; ++o) {
            for (std::size_t i = 0; i < stride; ++i)
                use(o * stride + i, ends[2 * o * stride + i], ends[(2 * o + 1) * stride + i]);
        }
    };
    if (transform == Transform::hierarchize) {
        m_inCells(transform, pole);
        forEachEnd([&](std::size_t i, T &low, T &high) {
            low -= values[i];
            high -= values[i];
        });
    } else {
        forEachEnd([&](std::size_t i, T &low, T &high) {
            low += values[i];
            high += values[i];
            middle[i] -= (low + high) / T(2);
        });
        m_inCells(transform, pole);
    }
    std::copy(values.begin(), values.end(), middle);
}

template <typename T>
void PolynomialPoles<T>::transformLeja(Transform transform, std::span<T *const> levels,
                                       std::size_t size) const
{
    // From coefficients: coarsest level first when they are made, last when they are taken back.
    const bool isForward = transform == Transform::hierarchize;
    const double sign = isForward ? -1 : 1;
    const auto &functions = lejaFunctionsAtPoints();
    constexpr std::size_t tile = 128;
    std::array<double, tile> sums;
    for (std::size_t first = 0; first < size; first += tile) {
        const auto count = std::min(tile, size - first);
        for (std::size_t step = 1; step < levels.size(); ++step) {
            const auto level = isForward ? step : levels.size() - step;
            T *own = levels[level] + first;
            std::copy_n(own, count, sums.begin());
            for (std::size_t below = 0; below < level; ++below) {
                const double weight = sign * functions[level][below];
                const T *coefficients = levels[below] + first;
                for (std::size_t i = 0; i < count; ++i)
                    sums[i] += weight * static_cast<double>(coefficients[i]);
            }
            for (std::size_t i = 0; i < count; ++i)
                own[i] = static_cast<T>(sums[i]);
        }
    }
}

template class PolynomialPoles<float>;
template class PolynomialPoles<double>;

} // namespace gridhelm::sparse::omp
