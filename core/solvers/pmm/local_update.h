// SPDX-License-Identifier: GPL-3.0-or-later
//
// The update of one node from the previous plane, to the letter (fronts.md, eq:travel-time to
// eq:front-edge). In the frame of a sub-sweep: u and v are the in-plane axes, n points from the
// previous plane to the node. Candidates: every neighbour there, and the minimum over every
// triangle and every triangle edge, on which T is linear.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gridhelm::solvers {

template <typename T>
using Vector3 = std::array<T, 3>;

/// What the node says about the propagation: F, psi and a.
template <typename T>
struct Medium
{
    T speed;
    T advection;
    Vector3<T> direction;
};

/// T of the 3 x 3 nodes in the previous plane, the one below the node in the middle: [1 + v][1 +
/// u].
template <typename T>
using PlaneTimes = std::array<std::array<T, 3>, 3>;

/// A node of the previous plane, relative to the one below the updated node, in spacings.
struct PlaneOffset
{
    int u = 0;
    int v = 0;
};

template <typename T>
T dot(const Vector3<T> &a, const Vector3<T> &b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Time along the straight line r: the positive root of
/// (F^2 - psi^2 |a|^2) tau^2 + 2 psi (a . r) tau - |r|^2 = 0.
template <typename T>
T travelTime(const Vector3<T> &r, const Medium<T> &medium)
{
    const T with = medium.advection * dot(medium.direction, r);
    const T g = medium.speed * medium.speed
                - medium.advection * medium.advection * dot(medium.direction, medium.direction);
    const T root = std::sqrt(with * with + g * dot(r, r));
    // Without cancellation when the advection helps.
    return with > 0 ? dot(r, r) / (root + with) : (root - with) / g;
}

/// Earliest arrival at one node from the 3 x 3 nodes of the previous plane.
template <typename T>
class LocalUpdate
{
public:
    LocalUpdate(T spacing, const Medium<T> &medium)
        : m_spacing(spacing)
        , m_medium(medium)
    {
    }

    /// The minimum of all candidates; infinite if no neighbour is reached.
    T operator()(const PlaneTimes<T> &times) const
    {
        T best = std::numeric_limits<T>::infinity();
        for (int v = -1; v <= 1; ++v) {
            for (int u = -1; u <= 1; ++u)
                best = std::min(best, fromNode(times, {u, v}));
        }
        for (int sv : {-1, 1}) {
            for (int su : {-1, 1}) {
                const PlaneOffset corner{su, sv};
                for (const PlaneOffset edge : {PlaneOffset{su, 0}, PlaneOffset{0, sv}}) {
                    best = std::min(best, fromTriangle(times, edge, corner));
                    best = std::min(best, fromEdge(times, edge, corner));
                }
                best = std::min(best, fromEdge(times, {0, 0}, corner));
            }
        }
        for (const PlaneOffset edge : {PlaneOffset{-1, 0}, {1, 0}, {0, -1}, {0, 1}})
            best = std::min(best, fromEdge(times, {0, 0}, edge));
        return best;
    }

    T fromNode(const PlaneTimes<T> &times, PlaneOffset y) const
    {
        return at(times, y) + travelTime(displacement(y), m_medium);
    }

    /// The triangle of the centre, an edge neighbour and the corner next to it; infinite if the
    /// characteristic does not come from inside it.
    T fromTriangle(const PlaneTimes<T> &times, PlaneOffset edge, PlaneOffset corner) const
    {
        const T none = std::numeric_limits<T>::infinity();
        const T centreTime = at(times, {0, 0});
        const T first = (at(times, edge) - centreTime) / m_spacing;
        const T second = (at(times, corner) - at(times, edge)) / m_spacing;
        if (!std::isfinite(first) || !std::isfinite(second))
            return none;
        const T gu = static_cast<T>(corner.u) * (edge.u != 0 ? first : second);
        const T gv = static_cast<T>(corner.v) * (edge.u != 0 ? second : first);

        const T f2 = m_medium.speed * m_medium.speed;
        const T psi = m_medium.advection;
        const auto &a = m_medium.direction;
        const T q = psi * a[2];
        const T k = 1 - psi * (a[0] * gu + a[1] * gv);
        // (F^2 - q^2) gn^2 + 2 q k gn + F^2 (gu^2 + gv^2) - k^2 = 0
        const T leading = f2 - q * q;
        const T discriminant = q * k * q * k - leading * (f2 * (gu * gu + gv * gv) - k * k);
        if (!(discriminant > 0))
            return none;
        const T gn = (std::sqrt(discriminant) - q * k) / leading;
        if (!(k - q * gn > 0))
            return none;
        const T scale = m_medium.speed / std::sqrt(gu * gu + gv * gv + gn * gn);
        const T vn = scale * gn + q;
        if (!(vn > 0))
            return none;
        const T footU = -(scale * gu + psi * a[0]) / vn; // in spacings, from the centre
        const T footV = -(scale * gv + psi * a[1]) / vn;
        const T along =
            edge.u != 0 ? footU * static_cast<T>(corner.u) : footV * static_cast<T>(corner.v);
        const T across =
            edge.u != 0 ? footV * static_cast<T>(corner.v) : footU * static_cast<T>(corner.u);
        return across >= 0 && across <= along && along <= 1 ? centreTime + gn * m_spacing : none;
    }

    /// The edge from A to B; infinite if the earliest arrival is not from between them.
    T fromEdge(const PlaneTimes<T> &times, PlaneOffset a, PlaneOffset b) const
    {
        const T none = std::numeric_limits<T>::infinity();
        const T difference = at(times, b) - at(times, a);
        if (!std::isfinite(difference))
            return none;
        const auto r = displacement(a);
        const auto rB = displacement(b);
        const Vector3<T> e{rB[0] - r[0], rB[1] - r[1], rB[2] - r[2]};

        const T psi = m_medium.advection;
        const T ar = psi * dot(m_medium.direction, r);
        const T ae = psi * dot(m_medium.direction, e);
        const T g = m_medium.speed * m_medium.speed
                    - psi * psi * dot(m_medium.direction, m_medium.direction);
        const T q0 = ar * ar + g * dot(r, r);
        const T q1 = ar * ae + g * dot(r, e);
        const T q2 = ae * ae + g * dot(e, e);
        const T c = ae - g * difference;
        if (!(q2 > c * c))
            return none;
        const T s = (c * std::sqrt((q0 * q2 - q1 * q1) / (q2 - c * c)) - q1) / q2;
        if (!(s >= 0 && s <= 1))
            return none;
        return at(times, a) + s * difference
               + travelTime({r[0] + s * e[0], r[1] + s * e[1], r[2] + s * e[2]}, m_medium);
    }

private:
    static T at(const PlaneTimes<T> &times, PlaneOffset y)
    {
        return times[static_cast<std::size_t>(1 + y.v)][static_cast<std::size_t>(1 + y.u)];
    }

    /// From there to the node.
    Vector3<T> displacement(PlaneOffset y) const
    {
        return {-static_cast<T>(y.u) * m_spacing, -static_cast<T>(y.v) * m_spacing, m_spacing};
    }

    T m_spacing;
    Medium<T> m_medium;
};

/// The same without advection (psi = 0): tau(r) = |r| / F.
template <typename T>
class IsotropicLocalUpdate
{
public:
    IsotropicLocalUpdate(T spacing, T speed)
        : m_slowness(spacing / speed)
    {
    }

    T operator()(const PlaneTimes<T> &times) const
    {
        T best = std::numeric_limits<T>::infinity();
        for (std::size_t v = 0; v < 3; ++v) {
            for (std::size_t u = 0; u < 3; ++u)
                best = std::min(best, times[v][u] + m_slowness * distance((u != 1) + (v != 1)));
        }
        const T centre = times[1][1];
        for (std::size_t v : {0u, 2u}) {
            for (std::size_t u : {0u, 2u}) {
                const T corner = times[v][u];
                for (const T edge : {times[1][u], times[v][1]}) {
                    best = std::min(best, fromTriangle(centre, edge, corner));
                    best = std::min(best, fromEdge(edge, corner, 1, 1));
                }
                best = std::min(best, fromEdge(centre, corner, 0, 2));
            }
        }
        for (const T edge : {times[1][0], times[1][2], times[0][1], times[2][1]})
            best = std::min(best, fromEdge(centre, edge, 0, 1));
        return best;
    }

private:
    static T distance(int axesApart) { return std::sqrt(static_cast<T>(1 + axesApart)); }

    /// h gn = sqrt((h / F)^2 - (h gu)^2 - (h gv)^2), foot at -(gu, gv) h / gn.
    T fromTriangle(T centre, T edge, T corner) const
    {
        const T none = std::numeric_limits<T>::infinity();
        const T first = centre - edge;
        const T second = edge - corner;
        const T square = m_slowness * m_slowness - first * first - second * second;
        if (!(square > 0))
            return none;
        const T rise = std::sqrt(square);
        return second >= 0 && second <= first && first <= rise ? centre + rise : none;
    }

    /// From A, `axesApart` away from the centre, to B: their line passes the node at A. The slope
    /// along an edge of `edgeAxes` axes bends the ray by s.
    T fromEdge(T a, T b, int axesApart, int edgeAxes) const
    {
        const T none = std::numeric_limits<T>::infinity();
        const T perSpacing = (a - b) / std::sqrt(static_cast<T>(edgeAxes));
        const T square = m_slowness * m_slowness - perSpacing * perSpacing;
        if (!(square > 0))
            return none;
        const T s = perSpacing / std::sqrt(square)
                    * std::sqrt(static_cast<T>(1 + axesApart) / static_cast<T>(edgeAxes));
        return s >= 0 && s <= 1 ? a + distance(axesApart) * std::sqrt(square) : none;
    }

    T m_slowness; ///< h / F
};

} // namespace gridhelm::solvers
