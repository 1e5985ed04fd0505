// SPDX-License-Identifier: GPL-3.0-or-later
//
// The methods for Poisson's equation that the GPU has: each is declared and entered here.
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/poisson/poisson_method.h"

#include <array>
#include <memory>

namespace gridhelm::gpu {

/// Called while the GPU is current.
template <typename T>
using CudaMaker = std::unique_ptr<solvers::PoissonIterations<T>> (*)(
    const solvers::PoissonProblem &problem, const OptionValues &options, const GpuDevice &gpu,
    const TuningTable &tuning);

/// On the GPUs of the context's team, or on these and its CPU.
template <typename T>
using CudaTeamMaker = std::unique_ptr<solvers::PoissonIterations<T>> (*)(
    const solvers::PoissonProblem &problem, const OptionValues &options,
    const ExecutionContext &context);

struct CudaMethod
{
    const solvers::PoissonMethod *method;
    CudaMaker<float> makeFloat;
    CudaMaker<double> makeDouble;
    CudaTeamMaker<float> makeTeamFloat;
    CudaTeamMaker<double> makeTeamDouble;
    bool allowsCpu = false; ///< a CPU may be in the team, beside the GPUs
};

extern const CudaMethod tunedOnCuda; // jacobi_iterations.cpp
extern const CudaMethod temporalOnCuda;
extern const CudaMethod async0OnCuda;
extern const CudaMethod async1OnCuda;
extern const CudaMethod async2OnCuda;
extern const CudaMethod async3OnCuda;
extern const CudaMethod redBlackOnCuda; // red_black_sweeper.cpp
extern const CudaMethod mlssorOnCuda;   // mlssor_sweeper.cpp

inline constexpr std::array cudaMethods{
    &tunedOnCuda,  &temporalOnCuda, &async0OnCuda,   &async1OnCuda,
    &async2OnCuda, &async3OnCuda,   &redBlackOnCuda, &mlssorOnCuda,
};

} // namespace gridhelm::gpu
