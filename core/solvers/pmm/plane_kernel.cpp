// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/plane_kernel.h"

#include <algorithm>
#include <utility>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/solvers/pmm/plane_kernel.cpp"
#include <hwy/foreach_target.h> // IWYU pragma: keep
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace gridhelm::solvers {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// At most a cache line, the padding of rows.
template <typename T>
using Lanes = hn::CappedTag<T, 64 / sizeof(T)>;
template <typename T>
using Values = hn::Vec<Lanes<T>>;

/// The 3 x 3 times of the previous plane for one vector of nodes: [3 (1 + v) + (1 + u)], v across
/// the rows, u along them.
template <typename T>
struct Neighbours
{
    Values<T> at[9];

    HWY_INLINE Neighbours(const T *HWY_RESTRICT centre, std::ptrdiff_t rowStride)
    {
        const Lanes<T> d;
        for (int v = -1; v <= 1; ++v) {
            for (int u = -1; u <= 1; ++u)
                at[3 * (1 + v) + 1 + u] = hn::LoadU(d, centre + v * rowStride + u);
        }
    }

    HWY_INLINE Values<T> earliest() const
    {
        auto result = at[0];
        for (int i = 1; i < 9; ++i)
            result = hn::Min(result, at[i]);
        return result;
    }
};

/// Where `valid`, the smaller of both.
template <typename T, typename Mask>
HWY_INLINE Values<T> minimumWhere(Mask valid, Values<T> candidate, Values<T> best)
{
    return hn::IfThenElse(valid, hn::Min(best, candidate), best);
}

// ---- Isotropic --------------------------------------------------------------------------------

/// For one vector of nodes. All candidates from the node below and what surrounds it have the form
/// T_centre + sqrt(R): one square root of the smallest R serves them all. Clamping the time
/// difference along an edge to what keeps the foot on it gives the edge's minimum or, beyond its
/// far end, no less than the far end's own candidate.
template <typename T>
class IsotropicUpdate
{
    using D = Lanes<T>;
    using V = Values<T>;

public:
    static constexpr int coefficients = 1;

    HWY_INLINE explicit IsotropicUpdate(const PlaneRows<T> &rows)
        : IsotropicUpdate(rows, hn::Set(D(), rows.constant[0]), hn::Zero(D()))
    {
    }
    HWY_INLINE IsotropicUpdate(const PlaneRows<T> &, V slowness, V)
        : m_slowness(slowness)
        , m_square(hn::Mul(slowness, slowness))
    {
    }

    /// No candidate is earlier than the earliest neighbour plus this.
    HWY_INLINE V soonest() const { return m_slowness; }

    HWY_INLINE V operator()(const Neighbours<T> &t) const
    {
        const D d;
        const auto corners = hn::Min(hn::Min(t.at[0], t.at[2]), hn::Min(t.at[6], t.at[8]));
        auto best = hn::MulAdd(hn::Set(d, static_cast<T>(1.7320508075688772)), m_slowness, corners);
        best = hn::Min(best, aroundCentre(t, corners));
        best = hn::Min(best, outerEdges(t.at[1], t.at[0], t.at[2]));
        best = hn::Min(best, outerEdges(t.at[3], t.at[0], t.at[6]));
        best = hn::Min(best, outerEdges(t.at[5], t.at[2], t.at[8]));
        return hn::Min(best, outerEdges(t.at[7], t.at[6], t.at[8]));
    }

private:
    HWY_INLINE V clamped(V difference, double limitPerSlowness) const
    {
        const D d;
        const auto limit = hn::Mul(hn::Set(d, static_cast<T>(limitPerSlowness)), m_slowness);
        return hn::Min(hn::Max(difference, hn::Zero(d)), limit);
    }

    /// The eight triangles, and the eight edges from the centre.
    HWY_INLINE V aroundCentre(const Neighbours<T> &t, V corners) const
    {
        const D d;
        const auto centre = t.at[4];
        const auto sides = hn::Min(hn::Min(t.at[1], t.at[3]), hn::Min(t.at[5], t.at[7]));
        const auto toSide = clamped(hn::Sub(centre, sides), 0.70710678118654752); // 1 / sqrt(2)
        auto square = hn::NegMulAdd(toSide, toSide, m_square);
        const auto toCorner = clamped(hn::Sub(centre, corners), 1.1547005383792515); // 2 / sqrt(3)
        square = hn::Min(square,
                         hn::NegMulAdd(hn::Mul(hn::Set(d, T(0.5)), toCorner), toCorner, m_square));
        square = triangles(centre, t.at[1], t.at[0], t.at[2], square);
        square = triangles(centre, t.at[3], t.at[0], t.at[6], square);
        square = triangles(centre, t.at[5], t.at[2], t.at[8], square);
        square = triangles(centre, t.at[7], t.at[6], t.at[8], square);
        return hn::Add(centre, hn::Sqrt(square));
    }

    /// The two triangles of the centre, a side and one of the corners next to it: the foot lies in
    /// one of them if 0 <= second <= first <= S, each divided by S.
    HWY_INLINE V triangles(V centre, V side, V corner1, V corner2, V best) const
    {
        const auto first = hn::Sub(centre, side);
        const auto firstSquare = hn::Mul(first, first);
        const auto rest = hn::Sub(m_square, firstSquare);
        best = triangle(first, firstSquare, rest, hn::Sub(side, corner1), best);
        return triangle(first, firstSquare, rest, hn::Sub(side, corner2), best);
    }

    HWY_INLINE V triangle(V first, V firstSquare, V rest, V second, V best) const
    {
        const auto square = hn::NegMulAdd(second, second, rest);
        const auto inside = hn::And(hn::And(hn::Ge(second, hn::Zero(D())), hn::Le(second, first)),
                                    hn::Le(firstSquare, square));
        return minimumWhere<T>(inside, square, best);
    }

    /// The two edges from a side to its corners: the same distance sqrt(2) h away.
    HWY_INLINE V outerEdges(V side, V corner1, V corner2) const
    {
        const auto difference =
            clamped(hn::Sub(side, hn::Min(corner1, corner2)), 0.57735026918962576); // 1 / sqrt(3)
        const auto square = hn::NegMulAdd(difference, difference, m_square);
        return hn::Add(side, hn::Sqrt(hn::Add(square, square)));
    }

    V m_slowness;
    V m_square;
};

// ---- Anisotropic ------------------------------------------------------------------------------

struct Edge
{
    int au, av; ///< A, relative to the centre
    int bu, bv;

    constexpr int a() const { return 3 * (1 + av) + 1 + au; }
    constexpr int b() const { return 3 * (1 + bv) + 1 + bu; }
};

constexpr Edge edges[] = {
    {0, 0, 1, 0}, {0, 0, -1, 0}, {0, 0, 0, 1},   {0, 0, 0, -1},  //
    {0, 0, 1, 1}, {0, 0, -1, 1}, {0, 0, 1, -1},  {0, 0, -1, -1}, //
    {1, 0, 1, 1}, {1, 0, 1, -1}, {-1, 0, -1, 1}, {-1, 0, -1, -1},
    {0, 1, 1, 1}, {0, 1, -1, 1}, {0, -1, 1, -1}, {0, -1, -1, -1},
};
constexpr std::size_t edgeCount = std::size(edges);

/// Everything about the propagation to one vector of nodes that does not depend on the times.
template <typename T>
class AnisotropicUpdate
{
    using D = Lanes<T>;
    using V = Values<T>;

public:
    static constexpr int coefficients = 2;

    HWY_INLINE explicit AnisotropicUpdate(const PlaneRows<T> &rows)
        : AnisotropicUpdate(rows, hn::Set(D(), rows.constant[0]), hn::Set(D(), rows.constant[1]))
    {
    }

    HWY_INLINE AnisotropicUpdate(const PlaneRows<T> &rows, V g, V b)
    {
        const D d;
        const T *a = rows.direction.data();
        for (int i = 0; i < 3; ++i)
            m_drift[i] = hn::Mul(b, hn::Set(d, a[i]));
        // M in the plane and across it; the products b a are the drift.
        m_uu = hn::MulAdd(m_drift[0], m_drift[0], g);
        m_uv = hn::Mul(m_drift[0], m_drift[1]);
        m_vv = hn::MulAdd(m_drift[1], m_drift[1], g);
        m_un = hn::Mul(m_drift[0], m_drift[2]);
        m_vn = hn::Mul(m_drift[1], m_drift[2]);
        m_nn = hn::MulAdd(m_drift[2], m_drift[2], g);
        setTriangles(g);
        setNodes();
        setEdges(std::make_index_sequence<edgeCount>());
    }

    HWY_INLINE V soonest() const { return hn::Zero(D()); }

    HWY_INLINE V operator()(const Neighbours<T> &neighbours) const
    {
        V t[9];
        const auto left = hn::Neg(m_drift[0]);
        for (int v = 0; v < 3; ++v) {
            const auto across = v == 0 ? hn::Neg(m_drift[1]) : v == 1 ? hn::Zero(D()) : m_drift[1];
            t[3 * v] = hn::Add(neighbours.at[3 * v], hn::Add(across, left));
            t[3 * v + 1] = hn::Add(neighbours.at[3 * v + 1], across);
            t[3 * v + 2] = hn::Add(neighbours.at[3 * v + 2], hn::Add(across, m_drift[0]));
        }
        auto best = hn::Add(t[0], m_node[0]);
        for (int i = 1; i < 9; ++i)
            best = hn::Min(best, hn::Add(t[i], m_node[i]));
        best = fromEdges(t, best, std::make_index_sequence<edgeCount>());
        best = fromQuadrant<1, 1>(t, best);
        best = fromQuadrant<-1, 1>(t, best);
        best = fromQuadrant<1, -1>(t, best);
        best = fromQuadrant<-1, -1>(t, best);
        return hn::Sub(best, m_drift[2]);
    }

private:
    /// With A the part of M in the plane and c its part across: foot A^-1 c of the shortest line
    /// from the plane to the node, its squared length D, and D A^-1.
    HWY_INLINE void setTriangles(V g)
    {
        const D d;
        const auto inPlane =
            hn::MulAdd(m_drift[0], m_drift[0], hn::MulAdd(m_drift[1], m_drift[1], g));
        const auto inverse = hn::Div(hn::Set(d, T(1)), inPlane);
        const auto ratio = hn::Mul(hn::MulAdd(m_drift[2], m_drift[2], inPlane), inverse);
        const auto shift = hn::Mul(m_drift[2], inverse);
        m_foot[0] = hn::Mul(shift, m_drift[0]);
        m_foot[1] = hn::Mul(shift, m_drift[1]);
        m_depth = hn::Mul(g, ratio);
        const auto part = hn::Mul(ratio, inverse);
        m_inverseUU = hn::NegMulAdd(part, hn::Mul(m_drift[0], m_drift[0]), ratio);
        m_inverseUV = hn::Neg(hn::Mul(part, m_uv));
        m_inverseVV = hn::NegMulAdd(part, hn::Mul(m_drift[1], m_drift[1]), ratio);
    }

    HWY_INLINE V whole(int factor, V value) const
    {
        return hn::Mul(hn::Set(D(), static_cast<T>(factor)), value);
    }

    /// Squared norm of the displacement from (u, v) to the node.
    HWY_INLINE V squareFrom(int u, int v) const
    {
        const auto inPlane =
            hn::Add(hn::Add(whole(u * u, m_uu), whole(2 * u * v, m_uv)), whole(v * v, m_vv));
        const auto mixed = hn::Add(whole(2 * u, m_un), whole(2 * v, m_vn));
        return hn::Add(hn::Sub(inPlane, mixed), m_nn);
    }

    HWY_INLINE void setNodes()
    {
        for (int v = -1; v <= 1; ++v) {
            for (int u = -1; u <= 1; ++u)
                m_node[3 * (1 + v) + 1 + u] = hn::Sqrt(squareFrom(u, v));
        }
    }

    template <std::size_t I>
    HWY_INLINE void setEdge()
    {
        constexpr Edge edge = edges[I];
        constexpr int du = edge.bu - edge.au, dv = edge.bv - edge.av;
        const auto au = hn::Add(whole(du, m_uu), whole(dv, m_uv)); // A d
        const auto av = hn::Add(whole(du, m_uv), whole(dv, m_vv));
        const auto length = hn::Add(whole(du, au), whole(dv, av)); // squared
        const auto mixed = hn::Sub(hn::Add(whole(du, m_un), whole(dv, m_vn)),
                                   hn::Add(whole(edge.au, au), whole(edge.av, av)));
        const auto inverse = hn::Div(hn::Set(D(), T(1)), length);
        m_edgeFoot[I] = hn::Mul(mixed, inverse);
        m_edgeDepth[I] = hn::NegMulAdd(mixed, m_edgeFoot[I], squareFrom(edge.au, edge.av));
        m_edgeBend[I] = hn::Mul(m_edgeDepth[I], inverse);
    }

    template <std::size_t... I>
    HWY_INLINE void setEdges(std::index_sequence<I...>)
    {
        (setEdge<I>(), ...);
    }

    /// S = sqrt(depth - bend difference^2), foot = foot_0 - bend difference / S.
    template <std::size_t I>
    HWY_INLINE V fromEdge(const V *t, V best) const
    {
        const auto a = t[edges[I].a()];
        const auto difference = hn::Sub(t[edges[I].b()], a);
        const auto bent = hn::Mul(difference, m_edgeBend[I]);
        const auto root = hn::Sqrt(hn::NegMulAdd(difference, bent, m_edgeDepth[I]));
        const auto foot = hn::MulSub(m_edgeFoot[I], root, bent);
        const auto inside = hn::And(hn::Ge(foot, hn::Zero(D())), hn::Le(foot, root));
        return minimumWhere<T>(inside, hn::Add(hn::MulAdd(difference, m_edgeFoot[I], a), root),
                               best);
    }

    template <std::size_t... I>
    HWY_INLINE V fromEdges(const V *t, V best, std::index_sequence<I...>) const
    {
        ((best = fromEdge<I>(t, best)), ...);
        return best;
    }

    template <int U, int W>
    HWY_INLINE V fromQuadrant(const V *t, V best) const
    {
        const auto centre = t[4];
        const auto alongU = t[4 + U];
        const auto alongV = t[4 + 3 * W];
        const auto corner = t[4 + U + 3 * W];
        best = fromTriangle<U, W, true>(centre, hn::Sub(alongU, centre), hn::Sub(corner, alongU),
                                        best);
        return fromTriangle<U, W, false>(centre, hn::Sub(corner, alongV), hn::Sub(alongV, centre),
                                         best);
    }

    /// With y = D A^-1 (p, q) for the time differences p along U and q along W:
    /// S = sqrt(D - (p, q) . y), foot = foot_0 - y / S.
    template <int U, int W, bool FirstAlongU>
    HWY_INLINE V fromTriangle(V centre, V p, V q, V best) const
    {
        const auto footU = U > 0 ? m_foot[0] : hn::Neg(m_foot[0]);
        const auto footV = W > 0 ? m_foot[1] : hn::Neg(m_foot[1]);
        const auto mixed = U * W > 0 ? m_inverseUV : hn::Neg(m_inverseUV);
        const auto yu = hn::MulAdd(m_inverseUU, p, hn::Mul(mixed, q));
        const auto yv = hn::MulAdd(m_inverseVV, q, hn::Mul(mixed, p));
        const auto root = hn::Sqrt(hn::NegMulAdd(p, yu, hn::NegMulAdd(q, yv, m_depth)));
        const auto u = hn::MulSub(footU, root, yu);
        const auto v = hn::MulSub(footV, root, yv);
        const auto first = FirstAlongU ? u : v;
        const auto second = FirstAlongU ? v : u;
        const auto inside = hn::And(hn::And(hn::Ge(second, hn::Zero(D())), hn::Le(second, first)),
                                    hn::Le(first, root));
        const auto base = hn::MulAdd(p, footU, hn::MulAdd(q, footV, centre));
        return minimumWhere<T>(inside, hn::Add(base, root), best);
    }

    V m_drift[3]; ///< b a
    V m_uu, m_uv, m_vv, m_un, m_vn, m_nn;
    V m_foot[2];
    V m_depth, m_inverseUU, m_inverseUV, m_inverseVV;
    V m_node[9]; ///< norm of the displacement from each neighbour
    V m_edgeFoot[edgeCount], m_edgeDepth[edgeCount], m_edgeBend[edgeCount];
};

// ---- Rows -------------------------------------------------------------------------------------

/// The update of a vector of nodes that are `offset` behind the first node of the rows.
template <typename T, typename Update>
HWY_INLINE Values<T> updated(const PlaneRows<T> &rows, const Update *constant,
                             std::ptrdiff_t offset, Values<T> old)
{
    const Lanes<T> d;
    const Neighbours<T> neighbours(rows.previous + offset, rows.rowStride);
    const auto earliest = neighbours.earliest();
    if (constant) {
        if (hn::AllTrue(d, hn::Ge(hn::Add(earliest, constant->soonest()), old)))
            return old;
        return hn::Min(old, (*constant)(neighbours));
    }
    if (hn::AllTrue(d, hn::Ge(earliest, old)))
        return old;
    const auto first = hn::LoadU(d, rows.coefficients[0] + offset);
    const auto second =
        Update::coefficients > 1 ? hn::LoadU(d, rows.coefficients[1] + offset) : hn::Zero(d);
    return hn::Min(old, Update(rows, first, second)(neighbours));
}

template <typename T, typename Update>
HWY_INLINE T updateRows(const PlaneRows<T> &rows, const Update *constant)
{
    const Lanes<T> d;
    const std::size_t lanes = hn::Lanes(d);
    auto largest = hn::Zero(d);
    for (std::size_t r = 0; r < rows.rows; ++r) {
        const auto rowOffset = static_cast<std::ptrdiff_t>(r) * rows.rowStride;
        for (std::size_t i = 0; i < rows.width; i += lanes) {
            const auto offset = rowOffset + static_cast<std::ptrdiff_t>(i);
            T *HWY_RESTRICT node = rows.node + offset;
            const auto old = hn::LoadU(d, node);
            auto result = updated(rows, constant, offset, old);
            if (i + lanes > rows.width) // ghosts stay as they are
                result = hn::IfThenElse(hn::FirstN(d, rows.width - i), result, old);
            largest = hn::Max(largest, hn::Sub(old, result));
            hn::StoreU(result, d, node);
        }
    }
    return hn::GetLane(hn::MaxOfLanes(d, largest));
}

template <typename T, typename Update>
HWY_INLINE T updateAllRows(const PlaneRows<T> &rows)
{
    if (rows.coefficients[0])
        return updateRows<T, Update>(rows, nullptr);
    const Update constant(rows);
    return updateRows<T, Update>(rows, &constant);
}

float isotropicFloat(const PlaneRows<float> &rows)
{
    return updateAllRows<float, IsotropicUpdate<float>>(rows);
}
double isotropicDouble(const PlaneRows<double> &rows)
{
    return updateAllRows<double, IsotropicUpdate<double>>(rows);
}
float anisotropicFloat(const PlaneRows<float> &rows)
{
    return updateAllRows<float, AnisotropicUpdate<float>>(rows);
}
double anisotropicDouble(const PlaneRows<double> &rows)
{
    return updateAllRows<double, AnisotropicUpdate<double>>(rows);
}

} // namespace HWY_NAMESPACE
} // namespace gridhelm::solvers
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace gridhelm::solvers {

HWY_EXPORT(isotropicFloat);
HWY_EXPORT(isotropicDouble);
HWY_EXPORT(anisotropicFloat);
HWY_EXPORT(anisotropicDouble);

template <>
float updateIsotropic<float>(const PlaneRows<float> &rows)
{
    return HWY_DYNAMIC_DISPATCH(isotropicFloat)(rows);
}
template <>
double updateIsotropic<double>(const PlaneRows<double> &rows)
{
    return HWY_DYNAMIC_DISPATCH(isotropicDouble)(rows);
}
template <>
float updateAnisotropic<float>(const PlaneRows<float> &rows)
{
    return HWY_DYNAMIC_DISPATCH(anisotropicFloat)(rows);
}
template <>
double updateAnisotropic<double>(const PlaneRows<double> &rows)
{
    return HWY_DYNAMIC_DISPATCH(anisotropicDouble)(rows);
}

} // namespace gridhelm::solvers
#endif
