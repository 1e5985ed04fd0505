// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/pmm/scalar_math.h"

namespace gridhelm::gpu {

/// Square root of a positive number to about one unit in the last place, in a third of the
/// instructions of the correctly rounded one; NaN for 0 and for negative numbers.
__device__ inline double fastRoot(double x)
{
    double y = 0; // 1 / sqrt(x) to 20 bits or more; one step of third order makes them 60
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    const double root = x * y;
    const double error = fma(-root, y, 1.0);
    return fma(root * error, fma(error, 0.375, 0.5), root);
}
__device__ inline float fastRoot(float x)
{
    float root = 0;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
    return root;
}

/// ScalarMath with the device's fast root. The host, which works out once what all nodes share,
/// takes its own.
template <typename T>
struct DeviceMath : solvers::ScalarMath<T>
{
    __host__ __device__ static T root(T a)
    {
#ifdef __CUDA_ARCH__
        return fastRoot(a);
#else
        return std::sqrt(a);
#endif
    }
    /// Through the cache for what no kernel writes.
    __device__ static T load(const T *value)
    {
        return __ldg(value);
    }
};

} // namespace gridhelm::gpu
