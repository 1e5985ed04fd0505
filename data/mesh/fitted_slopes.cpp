// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/fitted_slopes.h"

#include <vtkMath.h>

#include <array>

namespace gridhelm::data {
namespace {

/// The pseudo-inverse of a symmetric matrix, times vectors: directions in which the places do not
/// differ (across a flat mesh, say) have no slope.
class PseudoInverse
{
public:
    explicit PseudoInverse(std::array<Vector3, 3> matrix)
    {
        std::array<double *, 3> rows{matrix[0].data(), matrix[1].data(), matrix[2].data()};
        std::array<double *, 3> columns{m_vectors[0].data(), m_vectors[1].data(),
                                        m_vectors[2].data()};
        vtkMath::Jacobi(rows.data(), m_values.data(), columns.data());
    }

    Vector3 times(const Vector3 &b) const
    {
        // Directions are those of unit vectors to neighbours, so that 1 is a usual eigenvalue.
        constexpr double none = 1e-6;
        Vector3 x{};
        for (std::size_t k = 0; k < 3; ++k) {
            if (m_values[k] <= none)
                continue;
            const Vector3 direction{m_vectors[0][k], m_vectors[1][k], m_vectors[2][k]};
            const double part = dot(direction, b) / m_values[k];
            for (std::size_t i = 0; i < 3; ++i)
                x[i] += part * direction[i];
        }
        return x;
    }

private:
    Vector3 m_values{};
    std::array<Vector3, 3> m_vectors{}; ///< in columns
};

} // namespace

std::vector<Vector3> fittedSlopes(const Vector3 &here, std::span<const Vector3> others)
{
    std::array<Vector3, 3> normal{};
    std::vector<Vector3> slopes;
    for (const auto &other : others) {
        const auto d = minus(other, here);
        const double squared = dot(d, d);
        if (!(squared > 0)) {
            slopes.push_back({});
            continue;
        }
        slopes.push_back({d[0] / squared, d[1] / squared, d[2] / squared});
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j)
                normal[i][j] += d[i] * d[j] / squared;
    }
    const PseudoInverse inverse(normal);
    for (auto &slope : slopes)
        slope = inverse.times(slope);
    return slopes;
}

} // namespace gridhelm::data
