// SPDX-License-Identifier: GPL-3.0-or-later
//
// The four kinds of media, as parameters of a kernel. arrival(): the earliest arrival at the node
// at an offset in the coefficients (medium_coefficients.h), from its neighbours in the previous
// plane. noEarlierThan(): what no candidate is earlier than.
// isNoEarlierThan(), of anisotropic media (of others arrival() takes little more): where no
// candidate is earlier than `old`. `Math`: see scalar_math.h.
#if defined(GRIDHELM_MEDIA_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_MEDIA_TARGET
#undef GRIDHELM_MEDIA_TARGET
#else
#define GRIDHELM_MEDIA_TARGET
#endif

#include "core/solvers/pmm/anisotropic_update.h"
#include "core/solvers/pmm/isotropic_update.h"

#include <cstddef>

GRIDHELM_BEFORE_TARGET();
namespace gridhelm::solvers::GRIDHELM_TARGET {

template <typename Math>
class ConstantIsotropicMedium
{
    using N = typename Math::Number;

public:
    static constexpr bool isAnisotropic = false;

    GRIDHELM_TARGET_FUNCTION explicit ConstantIsotropicMedium(N slowness)
        : m_update(slowness)
    {
    }

    GRIDHELM_TARGET_FUNCTION N noEarlierThan(N earliestNeighbour) const
    {
        return earliestNeighbour + m_update.soonest();
    }
    GRIDHELM_TARGET_FUNCTION N arrival(const N (&neighbours)[9], std::ptrdiff_t) const
    {
        return m_update(neighbours);
    }

private:
    IsotropicUpdate<Math> m_update;
};

template <typename Math>
class VaryingIsotropicMedium
{
    using N = typename Math::Number;
    using Value = typename Math::Value;

public:
    static constexpr bool isAnisotropic = false;

    GRIDHELM_TARGET_FUNCTION explicit VaryingIsotropicMedium(const Value *slowness)
        : m_slowness(slowness)
    {
    }

    GRIDHELM_TARGET_FUNCTION N noEarlierThan(N earliestNeighbour) const
    {
        return earliestNeighbour;
    }
    GRIDHELM_TARGET_FUNCTION N arrival(const N (&neighbours)[9], std::ptrdiff_t offset) const
    {
        return IsotropicUpdate<Math>(Math::load(m_slowness + offset))(neighbours);
    }

private:
    const Value *m_slowness;
};

template <typename Math>
class ConstantAnisotropicMedium
{
    using N = typename Math::Number;

public:
    static constexpr bool isAnisotropic = true;

    GRIDHELM_TARGET_FUNCTION ConstantAnisotropicMedium(N g, N b, const typename Math::Value *a)
        : m_metric(g, b, a)
    {
    }

    GRIDHELM_TARGET_FUNCTION N noEarlierThan(N earliestNeighbour) const
    {
        return earliestNeighbour;
    }
    GRIDHELM_TARGET_FUNCTION auto isNoEarlierThan(const N (&neighbours)[9], N old,
                                                  std::ptrdiff_t) const
    {
        return AnisotropicUpdate<Math, SharedMetric<Math>>(m_metric).isNoEarlierThan(neighbours,
                                                                                     old);
    }
    GRIDHELM_TARGET_FUNCTION N arrival(const N (&neighbours)[9], std::ptrdiff_t) const
    {
        return AnisotropicUpdate<Math, SharedMetric<Math>>(m_metric)(neighbours);
    }

private:
    SharedMetric<Math> m_metric;
};

template <typename Math>
class VaryingAnisotropicMedium
{
    using N = typename Math::Number;
    using Value = typename Math::Value;

public:
    static constexpr bool isAnisotropic = true;

    GRIDHELM_TARGET_FUNCTION VaryingAnisotropicMedium(const Value *g, const Value *b,
                                                      const Value *a)
        : m_g(g)
        , m_b(b)
        , m_direction{a[0], a[1], a[2]}
    {
    }

    GRIDHELM_TARGET_FUNCTION N noEarlierThan(N earliestNeighbour) const
    {
        return earliestNeighbour;
    }
    GRIDHELM_TARGET_FUNCTION auto isNoEarlierThan(const N (&neighbours)[9], N old,
                                                  std::ptrdiff_t offset) const
    {
        const auto metric = metricAt(offset);
        return AnisotropicUpdate<Math, NodeMetric<Math>>(metric).isNoEarlierThan(neighbours, old);
    }
    GRIDHELM_TARGET_FUNCTION N arrival(const N (&neighbours)[9], std::ptrdiff_t offset) const
    {
        const auto metric = metricAt(offset);
        return AnisotropicUpdate<Math, NodeMetric<Math>>(metric)(neighbours);
    }

private:
    GRIDHELM_TARGET_FUNCTION NodeMetric<Math> metricAt(std::ptrdiff_t offset) const
    {
        return NodeMetric<Math>(Math::load(m_g + offset), Math::load(m_b + offset), m_direction);
    }

    const Value *m_g;
    const Value *m_b;
    Value m_direction[3];
};

} // namespace gridhelm::solvers::GRIDHELM_TARGET
GRIDHELM_AFTER_TARGET();
#endif
