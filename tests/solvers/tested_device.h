// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tests of solvers are one source for all back ends: built once as it stands, for omp, and once
// with GRIDHELM_TEST_CUDA.
#pragma once

#include "core/execution/execution_context.h"

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/device_info.h"
#endif

#include <QTest>

#include <string>

namespace gridhelm::test {

#ifdef GRIDHELM_TEST_CUDA
inline constexpr bool testsCuda = true;
#else
inline constexpr bool testsCuda = false;
#endif

/// Why there is nothing to test; empty if there is.
inline std::string missingBackend()
{
#ifdef GRIDHELM_TEST_CUDA
    const auto list = gpu::listDevices();
    return list.devices.empty() ? list.reason : std::string();
#else
    return {};
#endif
}

/// With the device under test; what fails fails.
inline ExecutionContext testedContext(const CpuDevice &cpu)
{
    ExecutionContext context(cpu);
#ifdef GRIDHELM_TEST_CUDA
    context = context.withGpus(gpu::gpuDevices());
#endif
    return context;
}

} // namespace gridhelm::test

/// In initTestCase(): skips all tests if the back end is not there.
#define GRIDHELM_SKIP_WITHOUT_BACKEND()                                                            \
    do {                                                                                           \
        const auto reason_ = gridhelm::test::missingBackend();                                     \
        if (!reason_.empty())                                                                      \
            QSKIP(reason_.c_str());                                                                \
    } while (false)

/// For what is the CPU's alone.
#define GRIDHELM_SKIP_ON_CUDA(reason)                                                              \
    do {                                                                                           \
        if (gridhelm::test::testsCuda)                                                             \
            QSKIP(reason);                                                                         \
    } while (false)
