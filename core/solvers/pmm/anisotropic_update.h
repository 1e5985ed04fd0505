// SPDX-License-Identifier: GPL-3.0-or-later
//
// Earliest arrival at a node with advection, from the 3 x 3 nodes of the previous plane.
// Algebraically the same as local_update.h, with common parts computed once and without divisions:
// the drift (metric.h) is linear, so it is added to the neighbours' times. What remains is to
// minimise a linear function plus the norm over triangles and edges, in closed form: on the whole
// plane (or line) through them the minimum is a linear function of the time differences plus a
// square root S, and S times the foot of the characteristic needs no division either.
#if defined(GRIDHELM_ANISOTROPIC_UPDATE_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_ANISOTROPIC_UPDATE_TARGET
#undef GRIDHELM_ANISOTROPIC_UPDATE_TARGET
#else
#define GRIDHELM_ANISOTROPIC_UPDATE_TARGET
#endif

#include "core/solvers/pmm/metric.h"
#include "core/solvers/pmm/round_off.h"

GRIDHELM_BEFORE_TARGET();
namespace gridhelm::solvers::GRIDHELM_TARGET {

/// `Terms`: NodeMetric or SharedMetric, which has to outlive it.
template <typename Math, typename Terms>
class AnisotropicUpdate
{
    using N = typename Math::Number;

public:
    GRIDHELM_TARGET_FUNCTION explicit AnisotropicUpdate(const Terms &terms)
        : m_terms(terms)
    {
    }

    /// Where it is certain that no candidate is earlier than `old`: says so for most nodes of which
    /// it is true, for a fraction of the candidates' work. For any w with w . r <= tau(r) for all
    /// r, each candidate, from a mean of neighbours i, is at least the smallest t_i + w . r_i. So
    /// is M x / sqrt(x' M x) - b a for any x. For x this takes the characteristic of a front with
    /// the slope that `old` and the neighbours have, turned where it comes from beyond them: then
    /// it is close to the candidates.
    GRIDHELM_TARGET_FUNCTION auto isNoEarlierThan(const N (&t)[9], N old) const
    {
        const auto &m = m_terms;
        const auto &drift = m.drift;
        const N across = t[4] - old;
        // M^-1 of the slope and the drift, times a positive number which makes the length of x
        // near 1: squares of short times must not underflow.
        const N p[3] = {slope(t[3], t[4], t[5]) + drift[0], slope(t[1], t[4], t[7]) + drift[1],
                        drift[2] - across};
        const N inverse = m.inverseLength[0];
        const N size =
            inverse * Math::mulAdd(drift[1], drift[1], Math::mulAdd(drift[2], drift[2], m.uu));
        const N along =
            inverse * Math::mulAdd(drift[0], p[0], Math::mulAdd(drift[1], p[1], drift[2] * p[2]));
        const N scale = Math::root(m.nn);
        const N u = inverse * Math::mulSub(size, p[0], drift[0] * along);
        const N v = inverse * Math::mulSub(size, p[1], drift[1] * along);
        const N n = Math::max(Math::max(inverse * Math::mulSub(size, p[2], drift[2] * along),
                                        inverse * (Math::number(0.01) * size * scale)), // not 0
                              Math::max(Math::max(u, -u), Math::max(v, -v)));
        const N mu = Math::mulAdd(m.uu, u, Math::mulAdd(m.uv, v, m.un * n));
        const N mv = Math::mulAdd(m.uv, u, Math::mulAdd(m.vv, v, m.vn * n));
        const N mn = Math::mulAdd(m.un, u, Math::mulAdd(m.vn, v, m.nn * n));
        const N square = Math::mulAdd(mu, u, Math::mulAdd(mv, v, mn * n));
        const N length = Math::root(square);
        const N rest = roundOff<Math>(scale, t[4]);
        // All times `length`: t_i + w . r_i - old, relative to the node below.
        const N wu = Math::negMulAdd(drift[0], length, mu);
        const N wv = Math::negMulAdd(drift[1], length, mv);
        const N enough = Math::mulAdd(drift[2] + rest, length, -mn);
        return Math::all(Math::mulAdd(t[0] - old, length, wu + wv) >= enough,
                         Math::mulAdd(t[1] - old, length, wv) >= enough,
                         Math::mulAdd(t[2] - old, length, wv - wu) >= enough,
                         Math::mulAdd(t[3] - old, length, wu) >= enough, across * length >= enough,
                         Math::mulSub(t[5] - old, length, wu) >= enough,
                         Math::mulAdd(t[6] - old, length, wu - wv) >= enough,
                         Math::mulSub(t[7] - old, length, wv) >= enough,
                         Math::mulSub(t[8] - old, length, wu + wv) >= enough);
    }

    /// `times`: [3 (1 + v) + (1 + u)], relative to the node below, u along the rows, v across them.
    GRIDHELM_TARGET_FUNCTION N operator()(const N (&times)[9]) const
    {
        const auto &drift = m_terms.drift;
        N t[9];
        for (int v = 0; v < 3; ++v) {
            const N across = v == 0 ? -drift[1] : v == 1 ? Math::number(0) : drift[1];
            t[3 * v] = times[3 * v] + (across - drift[0]);
            t[3 * v + 1] = times[3 * v + 1] + across;
            t[3 * v + 2] = times[3 * v + 2] + (across + drift[0]);
        }
        N best = fromNodes(t, std::make_integer_sequence<int, 9>());
        best = fromEdges(t, best, std::make_integer_sequence<int, planeEdgeCount>());
        best = fromQuadrant<1, 1>(t, best);
        best = fromQuadrant<-1, 1>(t, best);
        best = fromQuadrant<1, -1>(t, best);
        best = fromQuadrant<-1, -1>(t, best);
        return best - drift[2];
    }

private:
    /// Towards the earlier side; the other one need not have been reached.
    GRIDHELM_TARGET_FUNCTION static N slope(N before, N centre, N behind)
    {
        const N zero = Math::number(0);
        return Math::min(behind - centre, zero) - Math::min(before - centre, zero);
    }

    template <int... I>
    GRIDHELM_TARGET_FUNCTION N fromNodes(const N (&t)[9], std::integer_sequence<int, I...>) const
    {
        N best = t[4] + m_terms.template norm<4>();
        ((best = Math::min(best, t[I] + m_terms.template norm<I>())), ...);
        return best;
    }

    template <int I>
    GRIDHELM_TARGET_FUNCTION N fromEdge(const N (&t)[9], N best) const
    {
        constexpr PlaneEdge ends = planeEdge<I>();
        const auto edge = m_terms.template edge<I>();
        const N difference = t[ends.b()] - t[ends.a()];
        const N bent = difference * edge.bend;
        const N root = Math::root(Math::negMulAdd(difference, bent, edge.depth));
        const N foot = Math::mulSub(edge.foot, root, bent);
        const N time = Math::mulAdd(difference, edge.foot, t[ends.a()]) + root;
        return Math::minWhere(Math::all(foot >= Math::number(0), foot <= root), time, best);
    }

    template <int... I>
    GRIDHELM_TARGET_FUNCTION N fromEdges(const N (&t)[9], N best,
                                         std::integer_sequence<int, I...>) const
    {
        ((best = fromEdge<I>(t, best)), ...);
        return best;
    }

    template <int U, int V>
    GRIDHELM_TARGET_FUNCTION N fromQuadrant(const N (&t)[9], N best) const
    {
        const N centre = t[4];
        const N alongU = t[4 + U];
        const N alongV = t[4 + 3 * V];
        const N corner = t[4 + U + 3 * V];
        best = fromTriangle<U, V, true>(centre, alongU - centre, corner - alongU, best);
        return fromTriangle<U, V, false>(centre, corner - alongV, alongV - centre, best);
    }

    /// With y = D A^-1 (p, q) for the time differences p along U and q along V:
    /// S = sqrt(D - (p, q) . y), foot = foot_0 - y / S.
    template <int U, int V, bool FirstAlongU>
    GRIDHELM_TARGET_FUNCTION N fromTriangle(N centre, N p, N q, N best) const
    {
        const N footU = U > 0 ? m_terms.foot[0] : -m_terms.foot[0];
        const N footV = V > 0 ? m_terms.foot[1] : -m_terms.foot[1];
        const N mixed = U * V > 0 ? m_terms.inverseUV : -m_terms.inverseUV;
        const N yu = Math::mulAdd(m_terms.inverseUU, p, mixed * q);
        const N yv = Math::mulAdd(m_terms.inverseVV, q, mixed * p);
        const N root = Math::root(Math::negMulAdd(p, yu, Math::negMulAdd(q, yv, m_terms.depth)));
        const N u = Math::mulSub(footU, root, yu);
        const N v = Math::mulSub(footV, root, yv);
        const N first = FirstAlongU ? u : v;
        const N second = FirstAlongU ? v : u;
        const N time = Math::mulAdd(p, footU, Math::mulAdd(q, footV, centre)) + root;
        const auto inside = Math::all(second >= Math::number(0), second <= first, first <= root);
        return Math::minWhere(inside, time, best);
    }

    const Terms &m_terms;
};

} // namespace gridhelm::solvers::GRIDHELM_TARGET
GRIDHELM_AFTER_TARGET();
#endif
