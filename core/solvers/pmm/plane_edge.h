// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::solvers {

/// An edge of the triangles in the previous plane, from A to B, relative to the node below the
/// updated one.
struct PlaneEdge
{
    int au, av;
    int bu, bv;

    /// Among the nine nodes: [3 (1 + v) + (1 + u)].
    constexpr int a() const { return 3 * (1 + av) + 1 + au; }
    constexpr int b() const { return 3 * (1 + bv) + 1 + bu; }
    constexpr int du() const { return bu - au; }
    constexpr int dv() const { return bv - av; }
    /// Its line's direction: u, v, u + v, u - v.
    constexpr int line() const { return dv() == 0 ? 0 : du() == 0 ? 1 : du() == dv() ? 2 : 3; }
};

constexpr int planeEdgeCount = 16;

/// From the centre, or along an axis from a node beside it.
template <int I>
constexpr PlaneEdge planeEdge()
{
    constexpr PlaneEdge edges[planeEdgeCount] = {
        {0, 0, 1, 0}, {0, 0, -1, 0}, {0, 0, 0, 1},   {0, 0, 0, -1},  //
        {0, 0, 1, 1}, {0, 0, -1, 1}, {0, 0, 1, -1},  {0, 0, -1, -1}, //
        {1, 0, 1, 1}, {1, 0, 1, -1}, {-1, 0, -1, 1}, {-1, 0, -1, -1},
        {0, 1, 1, 1}, {0, 1, -1, 1}, {0, -1, 1, -1}, {0, -1, -1, -1},
    };
    return edges[I];
}

} // namespace gridhelm::solvers
