// SPDX-License-Identifier: GPL-3.0-or-later
//
// The four kinds of media, as parameters of a kernel. arrival(): the earliest arrival at the node
// at an offset in the coefficients, from its neighbours in the previous plane. soonest(): no
// candidate is earlier than the earliest neighbour plus this.
#pragma once

#include "gpu/pmm/anisotropic_update.cuh"
#include "gpu/pmm/isotropic_update.cuh"

#include <cmath>
#include <cstddef>
#include <utility>

namespace gridhelm::gpu {

template <typename T>
struct ConstantIsotropicMedium
{
    static constexpr bool varies = false;
    T slowness;

    __device__ T soonest() const { return slowness; }
    __device__ T arrival(const PlaneNeighbours<T> &neighbours, std::ptrdiff_t) const
    {
        return IsotropicUpdate<T>(slowness)(neighbours);
    }
};

template <typename T>
struct VaryingIsotropicMedium
{
    static constexpr bool varies = true;
    const T *slowness;

    __device__ T soonest() const { return 0; }
    __device__ T arrival(const PlaneNeighbours<T> &neighbours, std::ptrdiff_t offset) const
    {
        return IsotropicUpdate<T>(__ldg(slowness + offset))(neighbours);
    }
};

/// Everything about the propagation is worked out once, by the processor.
template <typename T>
class ConstantAnisotropicMedium
{
public:
    static constexpr bool varies = false;

    ConstantAnisotropicMedium(T g, T b, const T *direction)
        : m_metric(g, b, direction)
    {
        for (int i = 0; i < 9; ++i)
            m_norm[i] = std::sqrt(m_metric.squareFrom(i % 3 - 1, i / 3 - 1));
        setEdges(std::make_integer_sequence<int, edgeCount>());
    }

    __device__ T soonest() const { return 0; }
    __device__ T arrival(const PlaneNeighbours<T> &neighbours, std::ptrdiff_t) const
    {
        return AnisotropicUpdate<T, ConstantAnisotropicMedium>(*this)(neighbours);
    }

    __device__ const Metric<T> &metric() const { return m_metric; }
    template <int Node>
    __device__ T norm() const
    {
        return m_norm[Node];
    }
    template <int I>
    __device__ const EdgeTerms<T> &edge() const
    {
        return m_edges[I];
    }

private:
    template <int... I>
    void setEdges(std::integer_sequence<int, I...>)
    {
        ((m_edges[I] = edgeTerms<I>(m_metric)), ...);
    }

    Metric<T> m_metric;
    T m_norm[9];
    EdgeTerms<T> m_edges[edgeCount];
};

/// One node of a varying medium: works out what it is asked for.
template <typename T>
class AnisotropicNode
{
public:
    __device__ AnisotropicNode(T g, T b, const T *direction)
        : m_metric(g, b, direction)
    {
    }

    __device__ const Metric<T> &metric() const { return m_metric; }
    template <int Node>
    __device__ T norm() const
    {
        return fastRoot(m_metric.squareFrom(Node % 3 - 1, Node / 3 - 1));
    }
    template <int I>
    __device__ EdgeTerms<T> edge() const
    {
        return edgeTerms<I>(m_metric);
    }

private:
    Metric<T> m_metric;
};

template <typename T>
struct VaryingAnisotropicMedium
{
    static constexpr bool varies = true;
    const T *g;
    const T *b;
    T direction[3];

    __device__ T soonest() const { return 0; }
    __device__ T arrival(const PlaneNeighbours<T> &neighbours, std::ptrdiff_t offset) const
    {
        const AnisotropicNode<T> node(__ldg(g + offset), __ldg(b + offset), direction);
        return AnisotropicUpdate<T, AnisotropicNode<T>>(node)(neighbours);
    }
};

} // namespace gridhelm::gpu
