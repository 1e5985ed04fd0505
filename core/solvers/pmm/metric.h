// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a node says about the propagation with advection, apart from all times. The travel time is a
// norm plus a drift: with G = F^2 - psi^2 |a|^2, g = h^2 / G and b = h psi / G, for a displacement
// r in spacings
//
//     tau(r) = sqrt(r' M r) - b (a . r),     M = b^2 a a' + g I
//
// `Math`: see scalar_math.h.
#if defined(GRIDHELM_METRIC_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_METRIC_TARGET
#undef GRIDHELM_METRIC_TARGET
#else
#define GRIDHELM_METRIC_TARGET
#endif

#include "core/solvers/pmm/plane_edge.h"
#include "core/support/simd_target.h"

#include <utility>

GRIDHELM_BEFORE_TARGET();
namespace gridhelm::solvers::GRIDHELM_TARGET {

/// sum + Factor x, for small factors.
template <typename Math, int Factor>
GRIDHELM_TARGET_FUNCTION typename Math::Number plus(typename Math::Number sum,
                                                    typename Math::Number x)
{
    if constexpr (Factor == 0)
        return sum;
    else if constexpr (Factor == 1)
        return sum + x;
    else if constexpr (Factor == -1)
        return sum - x;
    else
        return Math::mulAdd(Math::number(Factor), x, sum);
}

/// M and what derives from it, in the frame of a sub-sweep (u, v, n).
template <typename Math>
struct Metric
{
    using N = typename Math::Number;

    N drift[3]; ///< b a
    N uu, uv, vv, un, vn, nn;
    N inverseLength[4]; ///< 1 / d' M d of the edges' directions, by PlaneEdge::line()
    /// The shortest line from the plane to the node: its foot A^-1 c, its squared length D, and
    /// D A^-1, with the part A of M in the plane and its part c across.
    N foot[2];
    N depth, inverseUU, inverseUV, inverseVV;

    GRIDHELM_TARGET_FUNCTION Metric(N g, N b, const typename Math::Value *a)
        : drift{b * Math::number(a[0]), b * Math::number(a[1]), b * Math::number(a[2])}
        , uu(Math::mulAdd(drift[0], drift[0], g))
        , uv(drift[0] * drift[1])
        , vv(Math::mulAdd(drift[1], drift[1], g))
        , un(drift[0] * drift[2])
        , vn(drift[1] * drift[2])
        , nn(Math::mulAdd(drift[2], drift[2], g))
        , inverseLength{inverse(uu), inverse(vv), inverse((uu + uv) + (uv + vv)),
                        inverse((uu - uv) - (uv - vv))}
    {
        const N inPlane = Math::mulAdd(drift[0], drift[0], Math::mulAdd(drift[1], drift[1], g));
        const N perPlane = inverse(inPlane);
        const N ratio = Math::mulAdd(drift[2], drift[2], inPlane) * perPlane;
        const N shift = drift[2] * perPlane;
        foot[0] = shift * drift[0];
        foot[1] = shift * drift[1];
        depth = g * ratio;
        const N part = ratio * perPlane;
        inverseUU = Math::negMulAdd(part, drift[0] * drift[0], ratio);
        inverseUV = -(part * uv);
        inverseVV = Math::negMulAdd(part, drift[1] * drift[1], ratio);
    }

    /// Squared norm of the displacement from (U, V) to the node.
    template <int U, int V>
    GRIDHELM_TARGET_FUNCTION N squareFrom() const
    {
        if constexpr (U == 0 && V == 0)
            return nn;
        else if constexpr (V == 0)
            return plus<Math, -2 * U>(uu, un) + nn;
        else if constexpr (U == 0)
            return plus<Math, -2 * V>(vv, vn) + nn;
        else
            return plus<Math, -2 * U>(plus<Math, 2 * U * V>(uu, uv) + vv, plus<Math, U * V>(un, vn))
                   + nn;
    }

private:
    GRIDHELM_TARGET_FUNCTION static N inverse(N x) { return Math::number(1) / x; }
};

/// What an edge's minimum needs: S = sqrt(depth - bend difference^2), at foot - bend difference / S
/// from A towards B.
template <typename Number>
struct EdgeTerms
{
    Number foot, depth, bend;
};

template <int I, typename Math>
GRIDHELM_TARGET_FUNCTION EdgeTerms<typename Math::Number> edgeTerms(const Metric<Math> &m)
{
    using N = typename Math::Number;
    constexpr PlaneEdge edge = planeEdge<I>();
    constexpr int du = edge.du(), dv = edge.dv();
    // d' (c - A a) with the edge's direction d and beginning a: either a is 0, or a and d lie along
    // different axes and share uv alone.
    constexpr int crossed = edge.au * dv + edge.av * du;
    N across;
    if constexpr (du == 0)
        across = dv > 0 ? m.vn : -m.vn;
    else if constexpr (du > 0)
        across = plus<Math, dv>(m.un, m.vn);
    else
        across = plus<Math, dv>(-m.un, m.vn);
    const N mixed = plus<Math, -crossed>(across, m.uv);

    const N inverse = m.inverseLength[edge.line()];
    EdgeTerms<N> terms;
    terms.foot = mixed * inverse;
    terms.depth = Math::negMulAdd(mixed, terms.foot, m.template squareFrom<edge.au, edge.av>());
    terms.bend = terms.depth * inverse;
    return terms;
}

/// A node of a varying medium: works out what it is asked for.
template <typename Math>
class NodeMetric : public Metric<Math>
{
    using N = typename Math::Number;

public:
    // Not inherited: it would lack what compiles it for the target.
    GRIDHELM_TARGET_FUNCTION NodeMetric(N g, N b, const typename Math::Value *a)
        : Metric<Math>(g, b, a)
    {
    }

    /// Of the displacement from a neighbour, [3 (1 + v) + (1 + u)].
    template <int Node>
    GRIDHELM_TARGET_FUNCTION N norm() const
    {
        return Math::root(this->template squareFrom<Node % 3 - 1, Node / 3 - 1>());
    }
    template <int I>
    GRIDHELM_TARGET_FUNCTION EdgeTerms<N> edge() const
    {
        return edgeTerms<I, Math>(*this);
    }
};

/// The same for all nodes: everything is worked out once.
template <typename Math>
class SharedMetric : public Metric<Math>
{
    using N = typename Math::Number;

public:
    GRIDHELM_TARGET_FUNCTION SharedMetric(N g, N b, const typename Math::Value *a)
        : Metric<Math>(g, b, a)
    {
        setNorms(std::make_integer_sequence<int, 9>());
        setEdges(std::make_integer_sequence<int, planeEdgeCount>());
    }

    template <int Node>
    GRIDHELM_TARGET_FUNCTION const N &norm() const
    {
        return m_norms[Node];
    }
    template <int I>
    GRIDHELM_TARGET_FUNCTION const EdgeTerms<N> &edge() const
    {
        return m_edges[I];
    }

private:
    template <int... Node>
    GRIDHELM_TARGET_FUNCTION void setNorms(std::integer_sequence<int, Node...>)
    {
        ((m_norms[Node] = Math::root(this->template squareFrom<Node % 3 - 1, Node / 3 - 1>())),
         ...);
    }
    template <int... I>
    GRIDHELM_TARGET_FUNCTION void setEdges(std::integer_sequence<int, I...>)
    {
        ((m_edges[I] = edgeTerms<I, Math>(*this)), ...);
    }

    N m_norms[9];
    EdgeTerms<N> m_edges[planeEdgeCount];
};

} // namespace gridhelm::solvers::GRIDHELM_TARGET
GRIDHELM_AFTER_TARGET();
#endif
