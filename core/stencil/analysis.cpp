// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/analysis.h"

#include "core/execution/parallel_for.h"
#include "core/stencil/stencil_data.h"
#include "core/support/memory_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace gridhelm::stencil {
namespace {

bool hasConstantWeights(const Stencil &stencil)
{
    return std::ranges::all_of(stencil.neighbours,
                               [](const auto &neighbour) { return neighbour.weight.isNumber(); });
}

/// exp(i theta d) of some angles theta and |d| <= largestRadius.
class Waves
{
public:
    /// Of a periodic axis the angles of its `points`, or some of them if they are more: no other
    /// wave closes. Else a regular grid of angles.
    Waves(std::size_t points, bool isPeriodic, std::size_t angles)
        : m_angles(isPeriodic ? std::min(points, angles) : angles)
        , m_values(m_angles * width)
    {
        const auto all = isPeriodic ? points : m_angles;
        for (std::size_t a = 0; a < m_angles; ++a) {
            const double theta = 2 * std::numbers::pi * static_cast<double>(a * all / m_angles)
                                 / static_cast<double>(all);
            for (int d = -largestRadius; d <= largestRadius; ++d)
                m_values[at(a, d)] = std::polar(1.0, d * theta);
        }
    }
    std::size_t angles() const { return m_angles; }
    const std::complex<double> &operator()(std::size_t a, int d) const
    {
        return m_values[at(a, d)];
    }

private:
    static constexpr std::size_t width = 2 * largestRadius + 1;
    static std::size_t at(std::size_t a, int d)
    {
        return a * width + static_cast<std::size_t>(d + largestRadius);
    }

    std::size_t m_angles;
    std::vector<std::complex<double>> m_values;
};

/// The largest |symbol| on a grid of angles, which has 0 and, unless that is no wave of a periodic
/// axis, pi in each direction: there stencils of positive, or alternating, weights have it.
double largestSymbol(const Stencil &stencil)
{
    const std::size_t angles = stencil.dimension == 3 ? 48 : 256;
    const auto &n = stencil.points;
    const auto wavesOf = [&](std::size_t axis) {
        return Waves(n[axis], stencil.isPeriodic(axis), angles);
    };
    const auto first = wavesOf(0), second = wavesOf(1);
    const auto third = stencil.dimension == 3 ? wavesOf(2) : Waves(1, true, 1);
    double largest = 0;
    // Weights are real: the symbol of -theta is the conjugate, so that half of the angles do.
    for (std::size_t a = 0; a <= first.angles() / 2; ++a) {
        for (std::size_t b = 0; b < second.angles(); ++b) {
            for (std::size_t c = 0; c < third.angles(); ++c) {
                std::complex<double> sum = 0;
                for (const auto &[at, weight] : stencil.neighbours)
                    sum += weight.number() * first(a, at[0]) * second(b, at[1]) * third(c, at[2]);
                largest = std::max(largest, std::abs(sum));
            }
        }
    }
    return largest;
}

/// The largest sum of |w| of any point: the norm of the iteration for the largest value.
double largestSum(const Stencil &stencil, const CpuDevice &cpu)
{
    requireMemory(
        static_cast<double>(stencil.coefficients.size() * stencil.count() * sizeof(double)),
        "the coefficients of " + std::to_string(stencil.count()) + " points",
        "choose fewer points");
    std::vector<std::vector<double>> coefficients;
    for (const auto &coefficient : stencil.coefficients)
        coefficients.push_back(valuesOf<double>(stencil, coefficient, cpu));
    const auto &n = stencil.points;
    const auto rows = coefficients.empty() ? 1 : n[1] * n[2];
    std::vector<double> largestOfRow(rows);
    parallelFor(rows, cpu, 1, [&](std::size_t row) {
        std::vector<double> here(coefficients.size());
        for (std::size_t i = 0; i < (coefficients.empty() ? 1 : n[0]); ++i) {
            for (std::size_t c = 0; c < here.size(); ++c)
                here[c] = coefficients[c][row * n[0] + i];
            double sum = 0;
            for (const auto &neighbour : stencil.neighbours)
                sum += std::abs(neighbour.weight.evaluate<double>(here));
            if (!std::isfinite(sum))
                sum = std::numeric_limits<double>::infinity();
            largestOfRow[row] = std::max(largestOfRow[row], sum);
        }
    });
    return std::ranges::max(largestOfRow);
}

} // namespace

std::vector<WeightGroup> weightGroups(const Stencil &stencil)
{
    std::vector<WeightGroup> groups;
    for (std::size_t i = 0; i < stencil.neighbours.size(); ++i) {
        const auto &weight = stencil.neighbours[i].weight;
        const auto found = std::ranges::find(groups, weight, &WeightGroup::weight);
        if (found != groups.end())
            found->neighbours.push_back(i);
        else
            groups.push_back({weight, {i}});
    }
    return groups;
}

std::size_t operationsPerValue(const Stencil &stencil)
{
    std::size_t operations = 0;
    for (const auto &group : weightGroups(stencil)) {
        for (const auto &node : group.weight.nodes())
            operations += operandsOf(node.operation) > 0 ? 1 : 0;
        operations += group.neighbours.size() + 1; // its sum, its product, and the sum of groups
    }
    return operations - 1 + (stencil.source.field ? 2 : 0);
}

bool isSymmetric(const Stencil &stencil)
{
    std::map<std::array<int, 3>, double> weights;
    if (!hasConstantWeights(stencil))
        return false;
    for (const auto &[at, weight] : stencil.neighbours)
        weights[at] = weight.number();
    return std::ranges::all_of(weights, [&](const auto &entry) {
        const auto opposite = weights.find({-entry.first[0], -entry.first[1], -entry.first[2]});
        return opposite != weights.end() && opposite->second == entry.second;
    });
}

std::optional<std::array<std::vector<double>, 3>> separableFactors(const Stencil &stencil)
{
    if (!hasConstantWeights(stencil) || stencil.neighbours.empty())
        return std::nullopt;
    const int r = radiusOf(stencil);
    std::map<std::array<int, 3>, double> weights;
    for (const auto &[at, weight] : stencil.neighbours)
        weights[at] = weight.number();
    const auto pivot =
        std::ranges::max_element(weights, {}, [](const auto &e) { return std::abs(e.second); });
    if (pivot->second == 0)
        return std::nullopt;
    const auto weightAt = [&](const std::array<int, 3> &at) {
        const auto found = weights.find(at);
        return found == weights.end() ? 0.0 : found->second;
    };
    // Along the lines through the largest weight, of which the first one keeps its size.
    std::array<std::vector<double>, 3> factors;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (int d = -r; d <= r; ++d) {
            auto at = pivot->first;
            at[axis] = d;
            factors[axis].push_back(weightAt(at) / (axis == 0 ? 1 : pivot->second));
        }
    }
    constexpr double roundOff = 1e-14;
    const auto factor = [&](std::size_t axis, int d) {
        return factors[axis][static_cast<std::size_t>(d + r)];
    };
    for (int x = -r; x <= r; ++x) {
        for (int y = -r; y <= r; ++y) {
            for (int z = -r; z <= r; ++z) {
                const double product = factor(0, x) * factor(1, y) * factor(2, z);
                if (std::abs(product - weightAt({x, y, z})) > roundOff * std::abs(pivot->second))
                    return std::nullopt;
            }
        }
    }
    return factors;
}

std::complex<double> symbolAt(const Stencil &stencil, const std::array<double, 3> &theta)
{
    std::complex<double> sum = 0;
    for (const auto &[at, weight] : stencil.neighbours)
        sum += weight.number()
               * std::polar(1.0, at[0] * theta[0] + at[1] * theta[1] + at[2] * theta[2]);
    return sum;
}

SpectralBound spectralBound(const Stencil &stencil, const CpuDevice &cpu)
{
    const double sum = largestSum(stencil, cpu);
    if (sum <= 1 || !hasConstantWeights(stencil))
        return {sum, false};
    const bool isPeriodic =
        std::all_of(stencil.sides.begin(), stencil.sides.begin() + 2 * stencil.dimension,
                    [](const Side &side) { return side.rule == SideRule::periodic; });
    return {std::min(sum, largestSymbol(stencil)), true, isPeriodic};
}

std::string divergenceWarning(const SpectralBound &bound)
{
    constexpr double tolerance = 1e-6;
    if (bound.value <= 1 + tolerance)
        return {};
    if (!bound.isSharp)
        return fmt::format("the weights' absolute values add up to {:.6g} at some point, so that "
                           "this run may diverge; make them smaller, unless it is meant to grow",
                           bound.value);
    return fmt::format(
        "an iteration multiplies some waves by {:.6g}, so that this run {}; make the "
        "weights smaller",
        bound.value, bound.isOfThisGrid ? "is going to diverge" : "may diverge");
}

} // namespace gridhelm::stencil
