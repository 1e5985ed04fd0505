// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/plain_sparse_grid.h"

#include "core/sparse/basis.h"

#include <array>
#include <bit>

namespace gridhelm::bench {

using sparse::Level;

namespace {

/// Offsets of the blocks of a regular grid in the order of PlainInterpolation::visit.
void appendOffsets(const sparse::SparseGrid &grid, std::vector<Level> &levels, std::size_t t,
                   int remaining, std::vector<std::uint64_t> &offsets)
{
    if (t == levels.size()) {
        offsets.push_back(grid.blockOffset(*grid.findBlock(levels)));
        return;
    }
    for (int level = 0; level <= remaining; ++level) {
        levels[t] = static_cast<Level>(level);
        appendOffsets(grid, levels, t + 1, remaining - level, offsets);
    }
    levels[t] = 0;
}

} // namespace

template <typename T>
PlainInterpolation<T>::PlainInterpolation(const sparse::SparseGrid &grid,
                                          std::span<const T> coefficients)
    : m_coefficients(coefficients)
    , m_dimension(static_cast<std::size_t>(grid.dimension()))
    , m_level(grid.groups())
    , m_positions(m_dimension * static_cast<std::size_t>(m_level))
    , m_values(m_positions.size())
    , m_tails(m_dimension + 1)
{
    std::vector<Level> levels(m_dimension, 0);
    appendOffsets(grid, levels, 0, m_level - 1, m_offsets);
}

template <typename T>
T PlainInterpolation<T>::operator()(std::span<const T> x)
{
    const auto levels = static_cast<std::size_t>(m_level);
    for (std::size_t t = 0; t < m_dimension; ++t) {
        for (std::size_t level = 0; level < levels; ++level) {
            const auto cell = sparse::cellOf(static_cast<int>(level), x[t]);
            m_positions[t * levels + level] = cell.position;
            m_values[t * levels + level] =
                sparse::basisValue(sparse::BoundaryTreatment::zero, static_cast<int>(level), cell);
        }
    }
    m_tails[m_dimension] = 1;
    for (std::size_t t = m_dimension; t-- > 0;)
        m_tails[t] = m_tails[t + 1] * m_values[t * levels];
    m_next = m_offsets.data();
    m_sum = 0;
    visit(0, m_level - 1, 0, T(1));
    return m_sum;
}

template <typename T>
void PlainInterpolation<T>::visit(std::size_t t, int remaining, std::uint64_t index, T product)
{
    if (remaining == 0) { // only level 0 is left in all dimensions
        m_sum += m_coefficients[*m_next++ + index] * product * m_tails[t];
        return;
    }
    const auto row = t * static_cast<std::size_t>(m_level);
    if (t + 1 == m_dimension) {
        for (int level = 0; level <= remaining; ++level) {
            const auto at = row + static_cast<std::size_t>(level);
            m_sum += m_coefficients[*m_next++ + ((index << level) | m_positions[at])] * product
                     * m_values[at];
        }
        return;
    }
    for (int level = 0; level <= remaining; ++level) {
        const auto at = row + static_cast<std::size_t>(level);
        visit(t + 1, remaining - level, (index << level) | m_positions[at], product * m_values[at]);
    }
}

template <typename T>
void plainHierarchize(const sparse::SparseGrid &grid, std::span<T> values)
{
    const auto d = static_cast<std::size_t>(grid.dimension());
    std::vector<Level> above(d);
    std::array<std::uint64_t, sparse::maximumLevel> offsets{};
    for (std::size_t t = 0; t < d; ++t) {
        for (std::size_t block = grid.blocks(); block-- > 0;) {
            const auto levels = grid.levelVector(block);
            const auto level = static_cast<std::size_t>(levels[t]);
            if (level == 0)
                continue;
            above.assign(levels.begin(), levels.end());
            for (std::size_t k = 0; k < level; ++k) {
                above[t] = static_cast<Level>(k);
                offsets[k] = grid.blockOffset(*grid.findBlock(above));
            }
            std::size_t stride = 1;
            for (std::size_t u = t + 1; u < d; ++u)
                stride <<= levels[u];
            const auto points = std::size_t{1} << level;
            const auto outer = grid.blockSize(block) / (stride * points);
            T *own = values.data() + grid.blockOffset(block);
            for (std::size_t o = 0; o < outer; ++o) {
                const auto parentRow = [&](std::size_t numerator) -> const T * {
                    if (numerator == 0 || numerator == points)
                        return nullptr;
                    const auto halvings = static_cast<std::size_t>(std::countr_zero(numerator));
                    const auto k = level - 1 - halvings;
                    return values.data() + offsets[k]
                           + ((o << k) + (numerator >> (halvings + 1))) * stride;
                };
                for (std::size_t i = 0; i < points; ++i, own += stride) {
                    const T *left = parentRow(i), *right = parentRow(i + 1);
                    for (std::size_t s = 0; s < stride; ++s)
                        own[s] -= ((left != nullptr ? left[s] : T(0))
                                   + (right != nullptr ? right[s] : T(0)))
                                  / T(2);
                }
            }
        }
    }
}

template class PlainInterpolation<float>;
template class PlainInterpolation<double>;
template void plainHierarchize<float>(const sparse::SparseGrid &, std::span<float>);
template void plainHierarchize<double>(const sparse::SparseGrid &, std::span<double>);

} // namespace gridhelm::bench
