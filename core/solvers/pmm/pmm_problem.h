// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace gridhelm::solvers {

using Position = std::array<double, 3>;

/// The same everywhere, or one value per node, x fastest.
using NodeValues = std::variant<double, std::vector<double>>;

/// The front starts at each position at its time. Nodes less than one spacing away from it in every
/// direction hold the time at which a straight ray reaches them.
struct PointSources
{
    struct Point
    {
        Position position{};
        double time = 0;
    };
    std::vector<Point> points;
};

/// Every node inside holds the time at which a straight ray from the centre reaches it: exact for
/// constant F and psi, and free of the large errors next to a point.
struct BallSource
{
    Position centre{};
    double radius = 0;
};

/// The surface z = s(x, y) at time 0; the front spreads to both sides. The nodes of each column
/// that are less than a spacing (more where it is steep) above or below hold the time at which the
/// local tangent plane reaches them: a plane is exact.
struct HorizonSource
{
    std::vector<double> heights; ///< s of every column of nodes, x fastest
};

struct NodeSources
{
    struct Node
    {
        std::array<std::size_t, 3> index{};
        double time = 0;
    };
    std::vector<Node> nodes;
};

/// Arrival times T of a front that spreads with speed F against its normal and drifts with the
/// advection psi a ([Krishnasamy2014], Eq. 2.6):
///
///     F |grad T| + psi (a . grad T) = 1,      F > |psi| |a|
///
/// T is given on a source. Where fronts from two sources overlap, the earlier one counts.
struct PmmProblem
{
    std::array<std::size_t, 3> nodes{1, 1, 1};
    double spacing = 1;         ///< the same in every direction
    Position origin{};          ///< of the first node
    NodeValues speed = 1.0;     ///< F
    double speedScale = 1;      ///< multiplies F
    NodeValues advection = 0.0; ///< psi
    double advectionScale = 1;  ///< multiplies psi
    Position direction{};       ///< a; its length need not be 1
    std::variant<std::monostate, PointSources, BallSource, HorizonSource, NodeSources> source;
    /// Times from which the sweeps start, x fastest; infinite where nothing is guessed. They do not
    /// change the result, however wrong they are (initial_guess.h).
    std::optional<std::vector<double>> initialGuess;
    std::function<double(const Position &)> knownSolution; ///< for the reported error; may be empty

    std::size_t count() const { return nodes[0] * nodes[1] * nodes[2]; }
    std::size_t nodeIndex(std::size_t i, std::size_t j, std::size_t k) const
    {
        return (k * nodes[1] + j) * nodes[0] + i;
    }
    Position position(std::size_t i, std::size_t j, std::size_t k) const
    {
        return {origin[0] + spacing * static_cast<double>(i),
                origin[1] + spacing * static_cast<double>(j),
                origin[2] + spacing * static_cast<double>(k)};
    }
    double speedAt(std::size_t node) const { return speedScale * valueAt(speed, node); }
    double advectionAt(std::size_t node) const { return advectionScale * valueAt(advection, node); }

    static double valueAt(const NodeValues &values, std::size_t node)
    {
        const double *same = std::get_if<double>(&values);
        return same ? *same : std::get<std::vector<double>>(values)[node];
    }
};

/// Whether F or psi differ from node to node.
bool variesInSpace(const PmmProblem &problem);

/// Whether there is any advection: otherwise the equation is the eikonal equation.
bool isAnisotropic(const PmmProblem &problem);

/// Throws gridhelm::Error, before anything is allocated, for sizes of 0 or beyond memory
/// (`bytesPerNode` for everything a method holds), values that are not finite or too many or too
/// few, a front that cannot spread against the advection, a source without a node, and a guess that
/// is NaN or minus infinity somewhere.
void requireSoluble(const PmmProblem &problem, std::size_t bytesPerNode);

/// Only that the front spreads: F > |psi| |a| at every node.
void requireSpreading(const PmmProblem &problem);

} // namespace gridhelm::solvers
