// SPDX-License-Identifier: GPL-3.0-or-later
//
// Earliest arrival at a node with advection; the algebra is that of core's plane_kernel.h: the
// travel time is a norm plus a drift, the drift goes to the neighbours' times, and a linear
// function plus the norm is minimised over triangles and edges in closed form, with one root each.
#pragma once

#include "gpu/pmm/arithmetic.cuh"
#include "gpu/pmm/isotropic_update.cuh"

#include <utility>

namespace gridhelm::gpu {

/// An edge of the triangles, from A to B, relative to the node below the updated one.
struct PlaneEdge
{
    int au, av;
    int bu, bv;

    constexpr int a() const { return 3 * (1 + av) + 1 + au; }
    constexpr int b() const { return 3 * (1 + bv) + 1 + bu; }
    constexpr int du() const { return bu - au; }
    constexpr int dv() const { return bv - av; }
    /// Its line's direction: u, v, u + v, u - v.
    constexpr int line() const { return dv() == 0 ? 0 : du() == 0 ? 1 : du() == dv() ? 2 : 3; }
};

constexpr int edgeCount = 16;

template <int I>
constexpr PlaneEdge planeEdge()
{
    constexpr PlaneEdge edges[edgeCount] = {
        {0, 0, 1, 0}, {0, 0, -1, 0}, {0, 0, 0, 1},   {0, 0, 0, -1},  //
        {0, 0, 1, 1}, {0, 0, -1, 1}, {0, 0, 1, -1},  {0, 0, -1, -1}, //
        {1, 0, 1, 1}, {1, 0, 1, -1}, {-1, 0, -1, 1}, {-1, 0, -1, -1},
        {0, 1, 1, 1}, {0, 1, -1, 1}, {0, -1, 1, -1}, {0, -1, -1, -1},
    };
    return edges[I];
}

/// M and what derives from it, in the frame of a sub-sweep (u, v, n).
template <typename T>
struct Metric
{
    T drift[3]; ///< b a
    T uu, uv, vv, un, vn, nn;
    T inverseLength[4]; ///< 1 / d' M d of the edges' directions, by PlaneEdge::line()
    /// The shortest line from the plane to the node: its foot, its squared length D, and D A^-1
    /// with the part A of M in the plane.
    T foot[2];
    T depth, inverseUU, inverseUV, inverseVV;

    __host__ __device__ Metric(T g, T b, const T *a)
        : drift{b * a[0], b * a[1], b * a[2]}
        , uu(drift[0] * drift[0] + g)
        , uv(drift[0] * drift[1])
        , vv(drift[1] * drift[1] + g)
        , un(drift[0] * drift[2])
        , vn(drift[1] * drift[2])
        , nn(drift[2] * drift[2] + g)
        , inverseLength{1 / uu, 1 / vv, 1 / (uu + vv + 2 * uv), 1 / (uu + vv - 2 * uv)}
    {
        const T inPlane = drift[0] * drift[0] + drift[1] * drift[1] + g;
        const T inverse = 1 / inPlane;
        const T ratio = (drift[2] * drift[2] + inPlane) * inverse;
        foot[0] = drift[2] * inverse * drift[0];
        foot[1] = drift[2] * inverse * drift[1];
        depth = g * ratio;
        const T part = ratio * inverse;
        inverseUU = ratio - part * drift[0] * drift[0];
        inverseUV = -part * uv;
        inverseVV = ratio - part * drift[1] * drift[1];
    }

    /// Squared norm of the displacement from (u, v) to the node.
    __host__ __device__ T squareFrom(int u, int v) const
    {
        const T x = static_cast<T>(u), y = static_cast<T>(v);
        return x * x * uu + 2 * x * y * uv + y * y * vv - 2 * x * un - 2 * y * vn + nn;
    }
};

/// What an edge's minimum needs: S = sqrt(depth - bend difference^2), at foot - bend difference / S
/// from A towards B.
template <typename T>
struct EdgeTerms
{
    T foot, depth, bend;
};

template <int I, typename T>
__host__ __device__ EdgeTerms<T> edgeTerms(const Metric<T> &m)
{
    constexpr PlaneEdge edge = planeEdge<I>();
    constexpr T du = static_cast<T>(edge.du()), dv = static_cast<T>(edge.dv());
    constexpr T au = static_cast<T>(edge.au), av = static_cast<T>(edge.av);
    const T mixed =
        du * m.un + dv * m.vn - au * (du * m.uu + dv * m.uv) - av * (du * m.uv + dv * m.vv);
    EdgeTerms<T> terms;
    const T inverse = m.inverseLength[edge.line()];
    terms.foot = mixed * inverse;
    terms.depth = m.squareFrom(edge.au, edge.av) - mixed * terms.foot;
    terms.bend = terms.depth * inverse;
    return terms;
}

/// The update in a medium that offers metric(), norm<node>() of the displacement from a neighbour,
/// and edge<I>().
template <typename T, typename Medium>
class AnisotropicUpdate
{
public:
    __device__ explicit AnisotropicUpdate(const Medium &medium)
        : m_medium(medium)
    {
    }

    __device__ T operator()(const PlaneNeighbours<T> &neighbours) const
    {
        const auto &drift = m_medium.metric().drift;
        T t[9];
        for (int v = 0; v < 3; ++v) {
            const T across = v == 0 ? -drift[1] : v == 1 ? T(0) : drift[1];
            t[3 * v] = neighbours[3 * v] + (across - drift[0]);
            t[3 * v + 1] = neighbours[3 * v + 1] + across;
            t[3 * v + 2] = neighbours[3 * v + 2] + (across + drift[0]);
        }
        T best = fromNodes(t, std::make_integer_sequence<int, 9>());
        best = fromQuadrant<1, 1>(t, best);
        best = fromQuadrant<-1, 1>(t, best);
        best = fromQuadrant<1, -1>(t, best);
        best = fromQuadrant<-1, -1>(t, best);
        best = fromEdges(t, best, std::make_integer_sequence<int, edgeCount>());
        return best - drift[2];
    }

private:
    template <int... I>
    __device__ T fromNodes(const T (&t)[9], std::integer_sequence<int, I...>) const
    {
        T best = t[4] + m_medium.template norm<4>();
        ((best = smaller(best, t[I] + m_medium.template norm<I>())), ...);
        return best;
    }

    template <int I>
    __device__ T fromEdge(const T (&t)[9], T best) const
    {
        const auto edge = m_medium.template edge<I>();
        const T a = t[planeEdge<I>().a()];
        const T difference = t[planeEdge<I>().b()] - a;
        const T bent = difference * edge.bend;
        const T root = fastRoot(edge.depth - difference * bent);
        const T foot = edge.foot * root - bent;
        const T time = difference * edge.foot + a + root;
        return foot >= 0 && foot <= root && time < best ? time : best;
    }

    template <int... I>
    __device__ T fromEdges(const T (&t)[9], T best, std::integer_sequence<int, I...>) const
    {
        ((best = fromEdge<I>(t, best)), ...);
        return best;
    }

    template <int U, int V>
    __device__ T fromQuadrant(const T (&t)[9], T best) const
    {
        const T centre = t[4];
        const T alongU = t[4 + U];
        const T alongV = t[4 + 3 * V];
        const T corner = t[4 + U + 3 * V];
        best = fromTriangle<U, V, true>(centre, alongU - centre, corner - alongU, best);
        return fromTriangle<U, V, false>(centre, corner - alongV, alongV - centre, best);
    }

    /// With y = D A^-1 (p, q) for the time differences p along U and q along V:
    /// S = sqrt(D - (p, q) . y), foot = foot_0 - y / S.
    template <int U, int V, bool FirstAlongU>
    __device__ T fromTriangle(T centre, T p, T q, T best) const
    {
        const auto &m = m_medium.metric();
        const T footU = static_cast<T>(U) * m.foot[0];
        const T footV = static_cast<T>(V) * m.foot[1];
        const T mixed = static_cast<T>(U * V) * m.inverseUV;
        const T yu = m.inverseUU * p + mixed * q;
        const T yv = m.inverseVV * q + mixed * p;
        const T root = fastRoot(m.depth - q * yv - p * yu);
        const T u = footU * root - yu;
        const T v = footV * root - yv;
        const T first = FirstAlongU ? u : v;
        const T second = FirstAlongU ? v : u;
        const T time = p * footU + (q * footV + centre) + root;
        return second >= 0 && second <= first && first <= root && time < best ? time : best;
    }

    const Medium &m_medium;
};

} // namespace gridhelm::gpu
