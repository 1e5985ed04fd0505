// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/literal_stencil.h"

#include "core/execution/parallel_for.h"
#include "core/stencil/stencil_data.h"
#include "core/support/flush_denormals.h"

#include <array>

namespace gridhelm::stencil {
namespace {

using Position = std::array<std::ptrdiff_t, 3>;

/// The value at a place that may be outside of the grid.
template <typename T>
class Surroundings
{
public:
    Surroundings(const Stencil &stencil, std::span<const T> values)
        : m_stencil(stencil)
        , m_values(values)
    {
        for (std::size_t axis = 0; axis < 3; ++axis)
            m_points[axis] = static_cast<std::ptrdiff_t>(stencil.points[axis]);
    }

    T operator()(Position at) const
    {
        std::array<T, 3> rises{};
        const auto lifted = [&rises](T value) {
            for (const T rise : rises)
                value += rise;
            return value;
        };
        // Where two or three sides meet, the last direction decides first.
        for (std::size_t axis = 3; axis-- > 0;) {
            const auto n = m_points[axis];
            if (at[axis] >= 0 && at[axis] < n)
                continue;
            const bool isLow = at[axis] < 0;
            const auto &side = m_stencil.sides[2 * axis + (isLow ? 0 : 1)];
            const auto g = isLow ? -1 - at[axis] : at[axis] - n;
            if (side.rule == SideRule::periodic) {
                at[axis] += isLow ? n : -n;
            } else if (side.rule == SideRule::slope) {
                at[axis] = isLow ? g : n - 1 - g;
                rises[axis] = ghostRise<T>(m_stencil, side, g);
            } else {
                return lifted(static_cast<T>(side.number));
            }
        }
        return lifted(m_values[index(at)]);
    }

    std::size_t index(const Position &at) const
    {
        return static_cast<std::size_t>((at[2] * m_points[1] + at[1]) * m_points[0] + at[0]);
    }

private:
    const Stencil &m_stencil;
    std::span<const T> m_values;
    Position m_points{};
};

} // namespace

template <typename T>
LiteralFields<T> literalFields(const Stencil &stencil, const CpuDevice &cpu)
{
    LiteralFields<T> fields;
    for (const auto &coefficient : stencil.coefficients)
        fields.coefficients.push_back(valuesOf<T>(stencil, coefficient, cpu));
    if (stencil.source.field)
        fields.source = valuesOf<T>(stencil, *stencil.source.field, cpu);
    return fields;
}

template <typename T>
void literalIteration(const Stencil &stencil, const LiteralFields<T> &fields, T factor,
                      std::span<const T> from, std::span<T> to, const CpuDevice &cpu)
{
    const Surroundings<T> valueAt(stencil, from);
    const auto &n = stencil.points;
    parallelFor(n[1] * n[2], cpu, 1, [&](std::size_t row) {
        const FlushDenormals flush;
        const auto j = row % n[1], k = row / n[1];
        std::vector<T> coefficients(fields.coefficients.size());
        for (std::size_t i = 0; i < n[0]; ++i) {
            const auto point = row * n[0] + i;
            for (std::size_t c = 0; c < coefficients.size(); ++c)
                coefficients[c] = fields.coefficients[c][point];
            T sum = 0;
            for (const auto &neighbour : stencil.neighbours) {
                const T weight = neighbour.weight.evaluate<T>(coefficients);
                sum += weight
                       * valueAt({static_cast<std::ptrdiff_t>(i) + neighbour.at[0],
                                  static_cast<std::ptrdiff_t>(j) + neighbour.at[1],
                                  static_cast<std::ptrdiff_t>(k) + neighbour.at[2]});
            }
            if (!fields.source.empty())
                sum += factor * fields.source[point];
            else if (stencil.source.spike == std::array{i, j, k})
                sum += factor;
            to[point] = sum;
        }
    });
}

template LiteralFields<float> literalFields(const Stencil &, const CpuDevice &);
template LiteralFields<double> literalFields(const Stencil &, const CpuDevice &);
template void literalIteration(const Stencil &, const LiteralFields<float> &, float,
                               std::span<const float>, std::span<float>, const CpuDevice &);
template void literalIteration(const Stencil &, const LiteralFields<double> &, double,
                               std::span<const double>, std::span<double>, const CpuDevice &);

} // namespace gridhelm::stencil
