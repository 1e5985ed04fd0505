// SPDX-License-Identifier: GPL-3.0-or-later
//
// Steppers of Jacobi and SOR of the tested back end.
#pragma once

#include "tests/solvers/tested_device.h"

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/poisson/cuda_jacobi.h"
#include "gpu/poisson/cuda_sor.h"
#else
#include "core/solvers/jacobi/jacobi_stepper.h"
#include "core/solvers/sor/sor_stepper.h"
#endif

namespace gridhelm::test {

#ifdef GRIDHELM_TEST_CUDA
inline constexpr auto makeJacobi = gpu::makeCudaJacobiStepper;
inline constexpr auto makeSor = gpu::makeCudaSorStepper;
#else
inline constexpr auto makeJacobi = solvers::makeJacobiStepper;
inline constexpr auto makeSor = solvers::makeSorStepper;
#endif

} // namespace gridhelm::test
