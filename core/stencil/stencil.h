// SPDX-License-Identifier: GPL-3.0-or-later
//
// A linear stencil on a regular grid of 2 or 3 dimensions, as a value: the iteration
//   u'(p) = sum over neighbours d of w_d(p) u(p + d)  +  s f(p)
// for all points p at once (docs/theory/stencils.md, eq:stencil).
#pragma once

#include "core/solvers/precision.h"
#include "core/stencil/expression.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gridhelm::stencil {

inline constexpr int largestRadius = 4;
inline constexpr std::size_t mostNeighbours = 125;
inline constexpr std::size_t mostCoefficients = 8;
inline constexpr int mostIterationsPerPass = 16;

/// A value for each point, in coordinates (x, y, z) for a formula, x fastest for a list.
using ScalarField = std::variant<double, Expression, std::vector<double>>;

struct Neighbour
{
    std::array<int, 3> at{0, 0, 0}; ///< relative to the point
    Expression weight;              ///< of the coefficients at the point, in their order
};

/// Beyond the grid's first or last points. The ghost points at a distance of g = 0, 1, ... from
/// the side have the values
enum class SideRule {
    value, ///< `number`
    slope, ///< of the point g before the side + (2 g + 1) spacing number: the derivative outwards
    periodic, ///< of the points at the opposite side, which is periodic, too
};

struct Side
{
    SideRule rule = SideRule::value;
    double number = 0;

    bool operator==(const Side &) const = default;
};

struct Source
{
    double factor = 1;                               ///< s
    std::optional<ScalarField> field;                ///< f
    std::optional<std::array<std::size_t, 3>> spike; ///< or f = 1 at this point, 0 elsewhere
};

/// How the code is to be made; none of it changes the values but for round-off.
struct Target
{
    enum class Device {
        cpu,
        gpu,
        several, ///< all GPUs
        both,    ///< these and the CPU
    } device = Device::cpu;
    double partition = 0;           ///< of the layers, that both's GPUs have; 0: as measured
    int threads = 0;                ///< of the CPU; 0: all
    int iterationsPerPass = 1;      ///< temporal blocking
    int sideBySide = 0;             ///< layers (rows in 2D) that are updated together; 0: as suits
    std::array<int, 2> block{0, 0}; ///< threads of a block of the GPU, x and y; 0: as suits
    int unknowns = 0;               ///< of a thread of the GPU, one behind the other; 0: as suits
};

struct Stencil
{
    int dimension = 2;
    std::array<std::size_t, 3> points{1, 1, 1}; ///< unknowns; 1 in z in 2D
    double spacing = 1;
    std::array<double, 3> origin{0, 0, 0}; ///< of the first point
    std::vector<Neighbour> neighbours;     ///< at least one, no two at the same place
    std::vector<ScalarField> coefficients;
    ScalarField start = 0.0;
    Source source;
    std::array<Side, 6> sides; ///< x low, x high, y low, ..., as solvers::Side has them
    solvers::Precision precision = solvers::Precision::float64;
    Target target;

    std::size_t count() const { return points[0] * points[1] * points[2]; }
    bool isForTeam() const
    {
        return target.device == Target::Device::several || target.device == Target::Device::both;
    }
    bool isForGpu() const { return target.device != Target::Device::cpu; }
    bool isPeriodic(std::size_t axis) const { return sides[2 * axis].rule == SideRule::periodic; }
};

/// Layers that are updated together; `isWide`: by a processor with the registers of AVX-512.
int sideBySideOf(const Stencil &stencil, bool isWide);

/// How far neighbours are away, in any direction; 0: the point itself is the only one.
int radiusOf(const Stencil &stencil);
/// Ghosts beyond each side: as many as the radius, but at least one.
inline int ghostsOf(const Stencil &stencil)
{
    return std::max(1, radiusOf(stencil));
}

/// The axis of layers, which are rows in 2D and planes in 3D.
inline std::size_t layerAxis(const Stencil &stencil)
{
    return static_cast<std::size_t>(stencil.dimension) - 1;
}
inline std::size_t layersOf(const Stencil &stencil)
{
    return stencil.points[layerAxis(stencil)];
}
/// Values of one of them.
inline std::size_t valuesOfLayer(const Stencil &stencil)
{
    return stencil.count() / layersOf(stencil);
}
/// What the user calls them.
inline const char *nameOfLayers(const Stencil &stencil)
{
    return stencil.dimension == 3 ? "planes" : "rows";
}

/// Throws gridhelm::Error for what is no stencil: none or too many neighbours, one that is too far
/// away or named twice, a grid that is smaller than the radius, or sizes that do not fit.
void requireStencil(const Stencil &stencil);

/// Beyond a side with a slope: how much the ghost point at distance g is above its mirror image.
template <typename T>
T ghostRise(const Stencil &stencil, const Side &side, std::ptrdiff_t g)
{
    return static_cast<T>(static_cast<double>(2 * g + 1) * (stencil.spacing * side.number));
}

} // namespace gridhelm::stencil
