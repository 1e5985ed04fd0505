// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/host_device.h"

#include <cmath>

namespace gridhelm::solvers {

/// What the update of a node (isotropic_update.h, anisotropic_update.h) computes with: numbers with
/// the operators + - * / >= <=, and these functions. Here a number is one value; in
/// plane_kernel.cpp it is a vector of neighbouring nodes' values, in gpu/pmm/device_math.cuh a
/// thread's value.
template <typename T>
struct ScalarMath
{
    using Value = T;
    using Number = T;

    GRIDHELM_HOST_DEVICE static T number(double value) { return static_cast<T>(value); }
    GRIDHELM_HOST_DEVICE static T load(const T *value) { return *value; }

    /// a b + c
    GRIDHELM_HOST_DEVICE static T mulAdd(T a, T b, T c) { return std::fma(a, b, c); }
    /// c - a b
    GRIDHELM_HOST_DEVICE static T negMulAdd(T a, T b, T c) { return std::fma(-a, b, c); }
    /// a b - c
    GRIDHELM_HOST_DEVICE static T mulSub(T a, T b, T c) { return std::fma(a, b, -c); }
    GRIDHELM_HOST_DEVICE static T root(T a) { return std::sqrt(a); }

    /// Comparison and selection: fmin() and fmax() also sort out NaN, which takes twice as long on
    /// a GPU in double. `a` if one of them is NaN.
    GRIDHELM_HOST_DEVICE static T min(T a, T b) { return b < a ? b : a; }
    GRIDHELM_HOST_DEVICE static T max(T a, T b) { return b > a ? b : a; }

    template <typename... Conditions>
    GRIDHELM_HOST_DEVICE static bool all(Conditions... conditions)
    {
        return (conditions && ...);
    }
    /// The smaller of both where the condition holds, elsewhere `best`.
    GRIDHELM_HOST_DEVICE static T minWhere(bool condition, T candidate, T best)
    {
        return condition && candidate < best ? candidate : best;
    }
};

} // namespace gridhelm::solvers
