// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/pmm/arithmetic.cuh"

namespace gridhelm::gpu {

/// T of the 3 x 3 nodes in the previous plane: [3 (1 + v) + (1 + u)].
template <typename T>
using PlaneNeighbours = T[9];

/// Earliest arrival at a node without advection; algebra as in core's plane_kernel.cpp: what comes
/// from around the centre has the form T_centre + sqrt(R), of which the smallest R counts.
template <typename T>
class IsotropicUpdate
{
public:
    /// h / F
    __device__ explicit IsotropicUpdate(T slowness)
        : m_slowness(slowness)
        , m_square(slowness * slowness)
    {
    }

    __device__ T operator()(const PlaneNeighbours<T> &t) const
    {
        const T corners = smaller(smaller(t[0], t[2]), smaller(t[6], t[8]));
        T best = static_cast<T>(1.7320508075688772) * m_slowness + corners;
        best = smaller(best, aroundCentre(t, corners));
        best = smaller(best, outerEdges(t[1], t[0], t[2]));
        best = smaller(best, outerEdges(t[3], t[0], t[6]));
        best = smaller(best, outerEdges(t[5], t[2], t[8]));
        return smaller(best, outerEdges(t[7], t[6], t[8]));
    }

private:
    /// A time difference along an edge, with the foot kept on it.
    __device__ T clamped(T difference, double limitPerSlowness) const
    {
        return smaller(larger(difference, T(0)), static_cast<T>(limitPerSlowness) * m_slowness);
    }

    /// The eight triangles, and the eight edges from the centre.
    __device__ T aroundCentre(const PlaneNeighbours<T> &t, T corners) const
    {
        const T sides = smaller(smaller(t[1], t[3]), smaller(t[5], t[7]));
        const T toSide = clamped(t[4] - sides, 0.70710678118654752);    // 1 / sqrt(2)
        const T toCorner = clamped(t[4] - corners, 1.1547005383792515); // 2 / sqrt(3)
        T square = smaller(m_square - toSide * toSide, m_square - T(0.5) * toCorner * toCorner);
        square = triangles(t[4], t[1], t[0], t[2], square);
        square = triangles(t[4], t[3], t[0], t[6], square);
        square = triangles(t[4], t[5], t[2], t[8], square);
        square = triangles(t[4], t[7], t[6], t[8], square);
        return t[4] + fastRoot(square);
    }

    /// The two triangles of the centre, a side and one of the corners next to it.
    __device__ T triangles(T centre, T side, T corner1, T corner2, T best) const
    {
        const T first = centre - side;
        const T firstSquare = first * first;
        best = triangle(first, firstSquare, side - corner1, best);
        return triangle(first, firstSquare, side - corner2, best);
    }

    /// The foot lies inside if 0 <= second <= first <= S, each divided by S.
    __device__ T triangle(T first, T firstSquare, T second, T best) const
    {
        const T square = m_square - firstSquare - second * second;
        const bool inside = second >= 0 && second <= first && firstSquare <= square;
        return inside && square < best ? square : best;
    }

    /// The two edges from a side to its corners: the same distance sqrt(2) h away.
    __device__ T outerEdges(T side, T corner1, T corner2) const
    {
        const T difference = clamped(side - smaller(corner1, corner2), 0.57735026918962576);
        const T square = m_square - difference * difference;
        return side + fastRoot(square + square);
    }

    T m_slowness;
    T m_square;
};

} // namespace gridhelm::gpu
