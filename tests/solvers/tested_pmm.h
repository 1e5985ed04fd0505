// SPDX-License-Identifier: GPL-3.0-or-later
//
// The PMM stepper of the tested back end.
#pragma once

#include "tests/solvers/tested_device.h"

#ifdef GRIDHELM_TEST_CUDA
#include "gpu/pmm/cuda_pmm_stepper.h"
#else
#include "core/solvers/pmm/pmm_stepper.h"
#endif

namespace gridhelm::test {

#ifdef GRIDHELM_TEST_CUDA
template <typename T>
using TestedPmm = gpu::CudaPmmStepper<T>;
#else
template <typename T>
using TestedPmm = solvers::PmmStepper<T>;
#endif

} // namespace gridhelm::test
