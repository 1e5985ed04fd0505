// SPDX-License-Identifier: GPL-3.0-or-later
//
// `Math`: see scalar_math.h.
#if defined(GRIDHELM_ROUND_OFF_TARGET) == defined(HWY_TARGET_TOGGLE)
#ifdef GRIDHELM_ROUND_OFF_TARGET
#undef GRIDHELM_ROUND_OFF_TARGET
#else
#define GRIDHELM_ROUND_OFF_TARGET
#endif

#include "core/support/simd_target.h"

#include <limits>

GRIDHELM_BEFORE_TARGET();
namespace gridhelm::solvers::GRIDHELM_TARGET {

/// What a candidate's arrival is off by at most, and more: `scale` is the time from a node to the
/// next one. (In double a time has to be 10^9 of them to matter; beyond 2 * 10^5 in float no node
/// is later than its neighbour in the end.)
template <typename Math>
GRIDHELM_TARGET_FUNCTION typename Math::Number roundOff(typename Math::Number scale,
                                                        typename Math::Number time)
{
    using Value = typename Math::Value;
    const auto ofScale = Math::number(1e-3) * scale;
    if constexpr (sizeof(Value) == sizeof(double)) {
        return ofScale;
    } else {
        const auto size = Math::min(Math::max(time, -time), Math::number(1 << 18) * scale);
        return Math::mulAdd(Math::number(16 * std::numeric_limits<Value>::epsilon()), size,
                            ofScale);
    }
}

} // namespace gridhelm::solvers::GRIDHELM_TARGET
GRIDHELM_AFTER_TARGET();
#endif
