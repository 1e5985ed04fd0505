// SPDX-License-Identifier: GPL-3.0-or-later
//
// One source of tests for all back ends: built once as it stands, for omp, and once with
// GRIDHELM_TEST_CUDA.
#pragma once

#include <string>

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/device_info.h"
#include "gpu/pmm/cuda_pmm_stepper.h"
#else
#include "core/solvers/pmm/pmm_stepper.h"
#endif

namespace gridhelm::test {

#ifdef GRIDHELM_TEST_CUDA
template <typename T>
using TestedPmm = gpu::CudaPmmStepper<T>;

constexpr bool pmmRunsOnCuda = true;

/// Why there is nothing to test; empty if there is.
inline std::string missingPmmBackend()
{
    const auto list = gpu::listDevices();
    return list.devices.empty() ? list.reason : std::string();
}
#else
template <typename T>
using TestedPmm = solvers::PmmStepper<T>;

constexpr bool pmmRunsOnCuda = false;

inline std::string missingPmmBackend()
{
    return {};
}
#endif

} // namespace gridhelm::test
