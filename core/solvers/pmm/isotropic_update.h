// SPDX-License-Identifier: GPL-3.0-or-later
//
// Earliest arrival at a node without advection, from the 3 x 3 nodes of the previous plane. `Math`:
// see scalar_math.h.
#if defined(GRIDHELM_ISOTROPIC_UPDATE_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_ISOTROPIC_UPDATE_TARGET
#undef GRIDHELM_ISOTROPIC_UPDATE_TARGET
#else
#define GRIDHELM_ISOTROPIC_UPDATE_TARGET
#endif

#include "core/support/simd_target.h"

GRIDHELM_BEFORE_TARGET();
namespace gridhelm::solvers::GRIDHELM_TARGET {

/// All candidates from the node below and what surrounds it have the form T_centre + sqrt(R): one
/// square root of the smallest R serves them all. Clamping the time difference along an edge to
/// what keeps the foot on it gives the edge's minimum or, beyond its far end, no less than the far
/// end's own candidate.
template <typename Math>
class IsotropicUpdate
{
    using N = typename Math::Number;

public:
    /// `slowness`: h / F.
    GRIDHELM_TARGET_FUNCTION explicit IsotropicUpdate(N slowness)
        : m_slowness(slowness)
        , m_square(slowness * slowness)
    {
    }

    /// No candidate is earlier than the earliest neighbour plus this.
    GRIDHELM_TARGET_FUNCTION N soonest() const { return m_slowness; }

    /// `t`: [3 (1 + v) + (1 + u)], relative to the node below, u along the rows, v across them.
    GRIDHELM_TARGET_FUNCTION N operator()(const N (&t)[9]) const
    {
        const N corners = Math::min(Math::min(t[0], t[2]), Math::min(t[6], t[8]));
        N best = Math::mulAdd(Math::number(1.7320508075688772), m_slowness, corners);
        best = Math::min(best, aroundCentre(t, corners));
        best = Math::min(best, outerEdges(t[1], t[0], t[2]));
        best = Math::min(best, outerEdges(t[3], t[0], t[6]));
        best = Math::min(best, outerEdges(t[5], t[2], t[8]));
        return Math::min(best, outerEdges(t[7], t[6], t[8]));
    }

private:
    /// A time difference along an edge, with the foot kept on it.
    GRIDHELM_TARGET_FUNCTION N clamped(N difference, double limitPerSlowness) const
    {
        return Math::min(Math::max(difference, Math::number(0)),
                         Math::number(limitPerSlowness) * m_slowness);
    }

    /// The eight triangles, and the eight edges from the centre.
    GRIDHELM_TARGET_FUNCTION N aroundCentre(const N (&t)[9], N corners) const
    {
        const N sides = Math::min(Math::min(t[1], t[3]), Math::min(t[5], t[7]));
        const N toSide = clamped(t[4] - sides, 0.70710678118654752);    // 1 / sqrt(2)
        const N toCorner = clamped(t[4] - corners, 1.1547005383792515); // 2 / sqrt(3)
        N square = Math::min(Math::negMulAdd(toSide, toSide, m_square),
                             Math::negMulAdd(Math::number(0.5) * toCorner, toCorner, m_square));
        square = triangles(t[4], t[1], t[0], t[2], square);
        square = triangles(t[4], t[3], t[0], t[6], square);
        square = triangles(t[4], t[5], t[2], t[8], square);
        square = triangles(t[4], t[7], t[6], t[8], square);
        return t[4] + Math::root(square);
    }

    /// The two triangles of the centre, a side and one of the corners next to it: the foot lies in
    /// one of them if 0 <= second <= first <= S, each divided by S.
    GRIDHELM_TARGET_FUNCTION N triangles(N centre, N side, N corner1, N corner2, N best) const
    {
        const N first = centre - side;
        const N firstSquare = first * first;
        const N rest = m_square - firstSquare;
        best = triangle(first, firstSquare, rest, side - corner1, best);
        return triangle(first, firstSquare, rest, side - corner2, best);
    }

    GRIDHELM_TARGET_FUNCTION static N triangle(N first, N firstSquare, N rest, N second, N best)
    {
        const N square = Math::negMulAdd(second, second, rest);
        const auto inside =
            Math::all(firstSquare <= square, second >= Math::number(0), second <= first);
        return Math::minWhere(inside, square, best);
    }

    /// The two edges from a side to its corners: the same distance sqrt(2) h away.
    GRIDHELM_TARGET_FUNCTION N outerEdges(N side, N corner1, N corner2) const
    {
        const N difference =
            clamped(side - Math::min(corner1, corner2), 0.57735026918962576); // 1 / sqrt(3)
        const N square = Math::negMulAdd(difference, difference, m_square);
        return side + Math::root(square + square);
    }

    N m_slowness;
    N m_square;
};

} // namespace gridhelm::solvers::GRIDHELM_TARGET
GRIDHELM_AFTER_TARGET();
#endif
