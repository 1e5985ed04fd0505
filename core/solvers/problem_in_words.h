// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is solved, told to somebody who has never seen it: once, for the command line's help and for
// the window.
#pragma once

#include <string_view>

namespace gridhelm::solvers {

/// Whole sentences, but for the equation.
struct ProblemInWords
{
    std::string_view equation;
    std::string_view meaning; ///< of the equation
    std::string_view domain;  ///< where it is solved, and what has to be given
    std::string_view start;   ///< what a run may begin with
};

inline constexpr ProblemInWords poissonInWords{
    .equation = "-Laplace(u) = f",
    .meaning = "Poisson's equation: u is the steady temperature of a plate or block that the "
               "source f heats, and likewise the potential of charges f.",
    .domain = "The domain is a rectangle (2D) or box (3D) with the same spacing in every "
              "direction. On each side either the value of u is given (Dirichlet), or its flux, "
              "the outward derivative (Neumann).",
    .start = "A cold start begins with u = 0. A warm start begins with a field from a file, a "
             "solution of a similar problem, say: the nearer it is, the fewer iterations are left "
             "to do.",
};

inline constexpr ProblemInWords frontInWords{
    .equation = "F |grad T| + psi (a . grad T) = 1",
    .meaning = "T is when the front arrives that spreads with speed F and drifts with psi a. "
               "F > |psi| |a| must hold everywhere. Without psi and a the propagation is "
               "isotropic, otherwise anisotropic. The level sets of T from a horizon are folded "
               "layers of rock.",
    .domain = "The domain is a box of nodes with the same spacing in every direction. The front "
              "starts from a surface (horizon), a ball, or points.",
    .start = "A cold start knows the times of the source alone. A warm start begins with times "
             "from a file, those of a similar medium, say; the result is the same.",
};

inline constexpr ProblemInWords stencilInWords{
    .equation = "u'(p) = sum of w_d u(p + d) + s f(p)",
    .meaning = "Each iteration makes each point the weighted sum of its neighbours d and of the "
               "source f with its factor s, all points at once. Which neighbours there are, and "
               "their weights, is the stencil's: diffusion, transport, smoothing, an iterative "
               "solver.",
    .domain = "The domain is a grid in 2 or 3 dimensions with the same spacing in every direction. "
              "Beyond each side there are given values, a given slope, or the opposite side.",
    .start = "The stencil says what a run begins with: a number, a formula, or a file.",
};

/// Of the parallel marching method: as PoissonMethod::purpose.
inline constexpr std::string_view pmmPurpose =
    "Sweeps through the box in six directions, plane by plane, and updates all nodes of a plane at "
    "once. Two or three sweeps are enough as a rule, however many nodes there are.";

inline constexpr std::string_view convergedInWords =
    "A run has converged when the figure that was chosen as its target is no larger than asked "
    "for. It also ends if that figure comes no closer, which is not converged: round-off may be "
    "larger than the target.";

} // namespace gridhelm::solvers
