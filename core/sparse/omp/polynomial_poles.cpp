// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/omp/polynomial_poles.h"

#include "core/sparse/cell_polynomial.h"
#include "core/sparse/level_vector.h"
#include "core/sparse/unfolded/state_functions.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace gridhelm::sparse::omp {

namespace {

/// From hats to a higher degree and back, along a pole of levels of cells.
template <typename T>
class DegreeSteps
{
public:
    DegreeSteps(DimensionBasis basis, const BlockPole<T> &pole)
        : m_basis(basis)
        , m_pole(pole)
    {
    }

    /// What is needed of parents must not be changed yet: finest level first.
    void raise() const
    {
        for (auto level = m_pole.levels.size(); level-- > 1;)
            addQuarters(level, T(-1));
        if (m_basis.degree == 3) {
            for (auto level = m_pole.levels.size(); level-- > 2;)
                addCubicParts(level, T(-1));
        }
    }

    void lower() const
    {
        if (m_basis.degree == 3) {
            for (std::size_t level = 2; level < m_pole.levels.size(); ++level)
                addCubicParts(level, T(1));
        }
        for (std::size_t level = 1; level < m_pole.levels.size(); ++level)
            addQuarters(level, T(1));
    }

private:
    /// Of the two children of a parent at an even position; at an odd one they have `sign`, too.
    struct Weights
    {
        T left;
        T right;
        T sign;
    };

    /// Adds the coefficients of all parents to their children in `level`. All rows follow each
    /// other in memory, so two parents and four children at a time; `Stride` is the length of short
    /// rows, 0 for long ones.
    template <std::size_t Stride>
    void addParents(std::size_t level, Weights weights) const
    {
        const auto stride = Stride == 0 ? m_pole.stride : Stride;
        const auto parents = m_pole.outer << (level - 1);
        const T *__restrict parent = m_pole.levels[level - 1];
        T *__restrict own = m_pole.levels[level];
        const T oddLeft = weights.sign * weights.left, oddRight = weights.sign * weights.right;
        for (std::size_t row = 0; row + 1 < parents; row += 2) {
            for (std::size_t i = 0; i < stride; ++i) {
                own[i] += weights.left * parent[i];
                own[stride + i] += weights.right * parent[i];
            }
            for (std::size_t i = 0; i < stride; ++i) {
                own[2 * stride + i] += oddLeft * parent[stride + i];
                own[3 * stride + i] += oddRight * parent[stride + i];
            }
            parent += 2 * stride;
            own += 4 * stride;
        }
        for (std::size_t i = 0; parents % 2 != 0 && i < stride; ++i) { // level 1, one pole
            own[i] += weights.left * parent[i];
            own[stride + i] += weights.right * parent[i];
        }
    }

    void addParents(std::size_t level, Weights weights) const
    {
        switch (m_pole.stride) {
        case 1:
            return addParents<1>(level, weights);
        case 2:
            return addParents<2>(level, weights);
        case 4:
            return addParents<4>(level, weights);
        case 8:
            return addParents<8>(level, weights);
        default:
            return addParents<0>(level, weights);
        }
    }

    void addQuarters(std::size_t level, T sign) const
    {
        const T quarter = sign * T(0.25);
        addParents(level, {quarter, quarter, T(1)});
    }

    /// sign * (phi^3 - phi^2) of the parent at its children, times its coefficient.
    void addCubicParts(std::size_t level, T sign) const
    {
        const T part = sign * T(0.125); // 3/4 * 1/2 * 1/3
        const auto parents = std::size_t{1} << (level - 1);
        const bool hasOthers = m_basis.treatment == BoundaryTreatment::zero;
        // Of the points of `zero` next to the outermost some have another root, or none.
        if (hasOthers && parents <= 4) {
            for (std::size_t position = 0; position < parents; ++position)
                addParent(level, position, sign, 0);
            return;
        }
        addParents(level, {part, -part, T(-1)});
        if (hasOthers) {
            for (const auto position : {std::size_t{1}, parents - 2})
                addParent(level, position, sign, position % 2 == 0 ? part : -part);
        }
    }

    /// Of one parent of `zero`, where `done` times its coefficient has been added to its left child
    /// already (and taken from the right one). Where its root is 5 half cells away, the coefficient
    /// that counts is the one that belongs to the quadratic through that root, not through the end
    /// of the range: a third of its own parent's is missing.
    void addParent(std::size_t level, std::size_t position, T sign, T done) const
    {
        const auto cells = static_cast<int>(level) - 1;
        const double inverse =
            inverseOfFurtherRoot(m_basis, cells, static_cast<std::uint32_t>(position));
        const T weight = sign * static_cast<T>(0.375 * inverse);
        constexpr double isFar = 0.25; // between 1/5 and 1/3
        const bool needsGrandparent = inverse != 0 && inverse < isFar && inverse > -isFar;
        if (weight == done)
            return;
        const auto stride = m_pole.stride;
        for (std::size_t outer = 0; outer < m_pole.outer; ++outer) {
            const auto row = (outer << (level - 1)) + position;
            const T *parent = m_pole.levels[level - 1] + row * stride;
            T *left = m_pole.levels[level] + 2 * row * stride;
            for (std::size_t i = 0; i < stride; ++i) {
                left[i] += (weight - done) * parent[i];
                left[stride + i] -= (weight - done) * parent[i];
            }
            if (!needsGrandparent)
                continue;
            const T *grandparent = m_pole.levels[level - 2] + row / 2 * stride;
            for (std::size_t i = 0; i < stride; ++i) {
                left[i] += weight / T(3) * grandparent[i];
                left[stride + i] -= weight / T(3) * grandparent[i];
            }
        }
    }

    DimensionBasis m_basis;
    const BlockPole<T> &m_pole;
};

} // namespace

template <typename T>
PolynomialPoles<T>::PolynomialPoles(DimensionBasis basis)
    : m_basis(basis)
{
    if (basis.treatment != BoundaryTreatment::leja)
        m_hats = poleTransform<T>(hasCells(basis.treatment) ? basis.treatment
                                                            : BoundaryTreatment::boundary);
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
        transformCells(transform, {hasEnds ? levels.subspan(1) : levels,
                                   hasEnds ? levels.front() : nullptr, outer, stride});
    }
}

template <typename T>
void PolynomialPoles<T>::transformCells(Transform transform, const BlockPole<T> &pole) const
{
    const DegreeSteps<T> steps(m_basis, pole);
    if (transform == Transform::hierarchize) {
        m_hats(transform, pole);
        if (m_basis.degree > 1)
            steps.raise();
    } else {
        if (m_basis.degree > 1)
            steps.lower();
        m_hats(transform, pole);
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
        transformCells(transform, pole);
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
        transformCells(transform, pole);
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
