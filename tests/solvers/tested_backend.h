// SPDX-License-Identifier: GPL-3.0-or-later
//
// One source of tests for all back ends: built once as it stands, for omp, and once with
// GRIDHELM_TEST_CUDA.
#pragma once

#include <string>

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/device_info.h"
#include "gpu/poisson/cuda_jacobi.h"
#include "gpu/poisson/cuda_sor.h"
#else
#include "core/solvers/jacobi/jacobi_stepper.h"
#include "core/solvers/sor/sor_stepper.h"
#endif

namespace gridhelm::test {

#ifdef GRIDHELM_TEST_CUDA
inline constexpr bool testsCuda = true;

inline constexpr auto makeJacobi = gpu::makeCudaJacobiStepper;
inline constexpr auto makeSor = gpu::makeCudaSorStepper;

/// Why there is nothing to test; empty if there is.
inline std::string missingBackend()
{
    const auto list = gpu::listDevices();
    return list.devices.empty() ? list.reason : std::string();
}
#else
inline constexpr bool testsCuda = false;

inline std::unique_ptr<solvers::Stepper> makeJacobi(solvers::PoissonProblem problem,
                                                    const solvers::JacobiOptions &options)
{
    return solvers::makeJacobiStepper(std::move(problem), options);
}

inline std::unique_ptr<solvers::Stepper> makeSor(const solvers::PoissonProblem &problem,
                                                 const solvers::SorSettings &settings)
{
    return solvers::makeSorStepper(problem, settings);
}

inline std::string missingBackend()
{
    return {};
}
#endif

} // namespace gridhelm::test

/// In initTestCase(): skips all tests if the back end is not there.
#define GRIDHELM_SKIP_WITHOUT_BACKEND()                                                            \
    do {                                                                                           \
        const auto reason_ = gridhelm::test::missingBackend();                                     \
        if (!reason_.empty())                                                                      \
            QSKIP(reason_.c_str());                                                                \
    } while (false)

/// For what is the processor's alone.
#define GRIDHELM_SKIP_ON_CUDA(reason)                                                              \
    do {                                                                                           \
        if (gridhelm::test::testsCuda)                                                             \
            QSKIP(reason);                                                                         \
    } while (false)
