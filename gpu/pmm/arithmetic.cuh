// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::gpu {

/// Comparison and selection: fmin() and fmax() also sort out NaN, which takes twice as long in
/// double. `a` if one of them is NaN.
template <typename T>
__host__ __device__ inline T smaller(T a, T b)
{
    return b < a ? b : a;
}
template <typename T>
__host__ __device__ inline T larger(T a, T b)
{
    return b > a ? b : a;
}

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

} // namespace gridhelm::gpu
