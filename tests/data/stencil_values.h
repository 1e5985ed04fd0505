// SPDX-License-Identifier: GPL-3.0-or-later
//
// What tests compare of steppers of stencils, and stencils without any symmetry.
#pragma once

#include "core/solvers/stepper.h"
#include "core/stencil/stencil.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <variant>
#include <vector>

namespace gridhelm::test {

inline std::vector<double> valuesIn(const solvers::Stepper &stepper)
{
    return std::visit(
        [](const auto &values) { return std::vector<double>(values.begin(), values.end()); },
        stepper.field().values);
}

/// What rounding may do in so many iterations: each sum of N products rounds by at most (N + 2)
/// epsilon of the largest values, in the generated code and in the literal loop.
inline double toleranceOf(const stencil::Stencil &stencil, std::uint64_t iterations, double largest)
{
    double sum = 0;
    if (stencil.coefficients.empty()) {
        for (const auto &neighbour : stencil.neighbours)
            sum += std::abs(neighbour.weight.number());
    }
    const double epsilon = stencil.precision == solvers::Precision::float32 ? 1.2e-7 : 2.3e-16;
    return 2 * static_cast<double>(stencil.neighbours.size() + 2) * epsilon
           * static_cast<double>(iterations)
           * std::pow(std::max(1.0, sum), static_cast<double>(iterations)) * largest;
}

inline double largestOf(const std::vector<double> &values)
{
    double largest = 0;
    for (const double value : values)
        largest = std::max(largest, std::abs(value));
    return largest;
}

inline double largestDifference(const std::vector<double> &a, const std::vector<double> &b)
{
    double largest = a.size() == b.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        const double difference = std::abs(a[i] - b[i]);
        largest = std::isnan(difference) ? INFINITY : std::max(largest, difference);
    }
    return largest;
}

/// A grid barely larger than the stencil, which has every second neighbour of a box (of a star in
/// 3D, if the radius is above 2), all with weights of their own, and a spike.
inline stencil::Stencil lopsidedStencil(int dimension, int radius)
{
    stencil::Stencil stencil;
    stencil.dimension = dimension;
    stencil.points = {9, 5, dimension == 3 ? std::size_t{4} : std::size_t{1}};
    stencil.spacing = 0.25;
    stencil.start = stencil::parseExpression("sin(9*x) + y*x", {{"x", "y"}, true});
    stencil.source = {
        0.25, {}, std::array<std::size_t, 3>{0, 4, dimension == 3 ? std::size_t{1} : 0}};
    double weight = 0.02;
    const int r = radius, depth = dimension == 3 ? r : 0;
    for (int z = -depth; z <= depth; ++z) {
        for (int y = -r; y <= r; ++y) {
            for (int x = -r; x <= r; ++x) {
                const bool isTooMany = depth > 2 && (x != 0) + (y != 0) + (z != 0) > 1;
                if ((x + 2 * y + 3 * z) % 2 == 0 && !isTooMany)
                    stencil.neighbours.push_back({{x, y, z}, stencil::Expression(weight *= 0.97)});
            }
        }
    }
    return stencil;
}

/// The same in 2D with all 9 neighbours of a box: lopsidedStencil() of radius 1 has none in x.
inline stencil::Stencil lopsidedBox()
{
    auto stencil = lopsidedStencil(2, 1);
    stencil.neighbours.clear();
    double weight = 0.14;
    for (int y = -1; y <= 1; ++y) {
        for (int x = -1; x <= 1; ++x)
            stencil.neighbours.push_back({{x, y, 0}, stencil::Expression(weight *= 0.93)});
    }
    return stencil;
}

/// One of 9 combinations of values, slopes and periods.
inline void setSides(stencil::Stencil &stencil, int combination)
{
    using stencil::Side, stencil::SideRule;
    const std::array<Side, 3> kinds{Side{SideRule::value, 0.75}, Side{SideRule::slope, 1.5},
                                    Side{SideRule::periodic, 0}};
    const std::array<int, 3> kind{combination % 3, (combination / 3 + combination) % 3,
                                  (combination / 3 + 2 * combination + 1) % 3};
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(stencil.dimension); ++axis) {
        stencil.sides[2 * axis] = kinds[static_cast<std::size_t>(kind[axis])];
        stencil.sides[2 * axis + 1] = stencil.sides[2 * axis];
    }
}

} // namespace gridhelm::test
