// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of any dimension's states at one place, on the device.
#pragma once

#include "core/sparse/unfolded/state_function.h"
#include "core/sparse/unfolded/state_polynomials.h"

namespace gridhelm::gpu {

static __constant__ const sparse::LejaTable<float> lejaTableInFloat =
    sparse::makeLejaTable<float>();
static __constant__ const sparse::LejaTable<double> lejaTableInDouble =
    sparse::makeLejaTable<double>();

template <typename T>
__device__ inline const sparse::LejaTable<T> &lejaTable()
{
    if constexpr (sizeof(T) == sizeof(float))
        return lejaTableInFloat;
    else
        return lejaTableInDouble;
}

/// A state's function, and its slope. What is no hat is computed in double: there are few of these,
/// or they are slopes.
template <typename T>
__device__ inline sparse::StateValue<T> anyState(sparse::DimensionBasis basis, int state, T x)
{
    if (sparse::hasHats(basis)) {
        const int level = sparse::levelOfState(basis.treatment, state);
        if (level < 0)
            return state == 0 ? sparse::StateValue<T>{1, 0, 0}
                              : sparse::StateValue<T>{T(2) * x - T(1), 2, 0};
        const auto cell = sparse::cellOf(level, x);
        return {sparse::basisValue(basis.treatment, level, cell),
                sparse::basisDerivative(basis.treatment, level, cell), cell.position};
    }
    sparse::StateValue<double> result;
    const auto at = static_cast<double>(x);
    if (basis.treatment == sparse::BoundaryTreatment::leja)
        sparse::forEachLejaState(
            lejaTable<double>(), state, at,
            [&](int, const sparse::StateValue<double> &value) { result = value; });
    else
        result = sparse::polynomialState(basis, state, at);
    return {static_cast<T>(result.value), static_cast<T>(result.slope), result.position};
}

} // namespace gridhelm::gpu
