// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/slab.h"

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

namespace gridhelm::solvers {

enum class SideKind { dirichlet, neumann };

/// The condition on one side of the rectangle.
struct SideCondition
{
    SideKind kind = SideKind::dirichlet;
    double value = 0; ///< of u, or of its outward normal derivative
};

/// Sides in this order: x low, x high, y low, y high, z low, z high.
enum class Side { xLow, xHigh, yLow, yHigh, zLow, zHigh };

/// Source of heat at one unknown, by default the middle one.
struct SpikeSource
{
    double strength = 1; ///< integral over the rectangle: f = strength / h^dimension at one unknown
    std::array<double, 3> position{0.5, 0.5, 0.5}; ///< in units of the rectangle's sides, 0 .. 1

    bool operator==(const SpikeSource &) const = default;
};

/// f at every unknown, x fastest.
using GridSource = std::vector<double>;
/// f at a position.
using FunctionSource = std::function<double(double x, double y, double z)>;

/// -Laplace(u) = f on a rectangle (2D, 5-point) or box (3D, 7-point), spacing h in every direction:
///
///     u_new = (sum of the 4 or 6 neighbours + h^2 f) / (4 or 6)
///
/// The unknowns are at origin + h (i, j, k), see firstUnknown(). Beyond a Dirichlet side the
/// neighbour is the given value, at distance h; a Neumann side lies half a spacing beyond the last
/// unknown, and the neighbour is the unknown's own value + h * derivative. With Neumann conditions
/// on all sides the solution is fixed by its mean, 0, and f (with the fluxes through the sides)
/// must sum to 0.
struct PoissonProblem
{
    int dimension = 2;
    std::array<std::size_t, 3> unknowns{1, 1, 1}; ///< at least 1 each; z is 1 in 2D
    double spacing = 1;
    std::array<SideCondition, 6> sides; ///< the last two are for 3D only
    std::variant<std::monostate, SpikeSource, GridSource, FunctionSource> source; ///< none: Laplace
    std::optional<std::vector<double>> initialGuess; ///< otherwise 0; x fastest
    /// Residuals are told relative to that of u = 0 rather than to the guess's: so a warm start and
    /// a cold one have the same way to go, and their curves can be compared.
    bool isMeasuredFromCold = false;
    FunctionSource knownSolution; ///< for the reported error; may be empty

    std::size_t count() const { return unknowns[0] * unknowns[1] * unknowns[2]; }
};

/// Throws gridhelm::Error, before anything is allocated, for sizes of 0 or beyond memory
/// (`bytesPerUnknown` for everything a method holds), a spacing that is not positive, a grid source
/// or initial guess of the wrong length, values that are not finite, or an insoluble all-Neumann
/// problem.
void requireSoluble(const PoissonProblem &problem, std::size_t bytesPerUnknown);

/// Position of the first unknown. The rectangle's low corner is at 0, hence h beyond a Dirichlet
/// side and h / 2 beyond a Neumann side; z is 0 in 2D.
std::array<double, 3> firstUnknown(const PoissonProblem &problem);

/// The unknown at a position given in units of the rectangle's sides.
std::array<std::size_t, 3> unknownAt(const PoissonProblem &problem,
                                     const std::array<double, 3> &position);

/// A constant may be added to every solution: there is no Dirichlet side.
bool isAllNeumann(const PoissonProblem &problem);

/// f is neither nothing nor a spike: methods keep it as an array.
bool hasSourceArray(const PoissonProblem &problem);
/// f at every unknown, x fastest, without the parts that boundary values contribute; empty if there
/// is no source.
std::vector<double> sampleSource(const PoissonProblem &problem);
/// The same at the unknowns of a slab.
std::vector<double> sampleSource(const PoissonProblem &problem, const Slab &slab);

/// The problem's grid in one slab.
Slab wholeSlab(const PoissonProblem &problem);
std::array<std::size_t, 3> unknownsOf(const PoissonProblem &problem, const Slab &slab);
/// Of one row in 2D, of one plane in 3D.
std::size_t unknownsOfLayer(const PoissonProblem &problem);

} // namespace gridhelm::solvers
