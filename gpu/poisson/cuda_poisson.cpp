// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/cuda_poisson.h"

#include "core/execution/team.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/support/error.h"
#include "gpu/poisson/jacobi/hybrid_shares.h"
#include "gpu/poisson/methods.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace gridhelm::gpu {
namespace {

[[noreturn]] void refuse(const solvers::PoissonMethod &method)
{
    std::vector<const solvers::PoissonMethod *> others;
    for (const auto *each : cudaMethods) {
        if (each->method->family == method.family)
            others.push_back(each->method);
    }
    throw Error(fmt::format("the method {} is for the CPU alone; choose {}, or the back end omp",
                            method.name, solvers::namesOf(others)));
}

/// The methods that GPUs and a CPU can share.
[[noreturn]] void refuseCpu(const solvers::PoissonMethod &method)
{
    std::vector<const solvers::PoissonMethod *> others;
    for (const auto *each : cudaMethods) {
        if (each->allowsCpu)
            others.push_back(each->method);
    }
    throw Error(
        fmt::format("the method {} cannot use GPU and CPU together; choose {} ({}), or GPUs "
                    "alone",
                    method.name, solvers::namesOf(others), others.front()->family->name));
}

/// With the devices of the context's team, or a GPU of each rank.
std::unique_ptr<solvers::Stepper> makeTeamStepper(solvers::PoissonProblem problem,
                                                  const solvers::PoissonSettings &settings,
                                                  const CudaMethod &method,
                                                  const ExecutionContext &context)
{
    ComputedOn where;
    if (context.ranks()) {
        where = ComputedOn::gpu(requireGpu(context).index);
    } else if (isMixed(context.team())) {
        if (!method.allowsCpu)
            refuseCpu(*method.method);
        where = computedOn(hybridTeam(context.team()).gpus);
        where |= ComputedOn::cpu();
    } else {
        where = computedOn(gpusOf(context.team()));
    }
    const auto on = [&](auto make) {
        return [make, &context](const solvers::PoissonProblem &each, const OptionValues &options) {
            return make(each, options, context);
        };
    };
    return solvers::makePoissonStepper(std::move(problem), settings, where,
                                       on(method.makeTeamFloat), on(method.makeTeamDouble));
}

} // namespace

std::unique_ptr<solvers::Stepper> makeCudaPoissonStepper(solvers::PoissonProblem problem,
                                                         const solvers::PoissonSettings &settings,
                                                         const ExecutionContext &context)
{
    const auto &method = solvers::poissonMethod(settings.method);
    const auto found = std::ranges::find(cudaMethods, &method, &CudaMethod::method);
    if (found == cudaMethods.end())
        refuse(method);
    if (context.sharesWork())
        return makeTeamStepper(std::move(problem), settings, **found, context);
    const auto &gpu = requireGpu(context);
    const auto on = [&](auto make) {
        return [make, &gpu, &context](const solvers::PoissonProblem &each,
                                      const OptionValues &options) {
            const OnGpu scope(gpu);
            return make(each, options, gpu, context.tuning());
        };
    };
    return solvers::makePoissonStepper(std::move(problem), settings, ComputedOn::gpu(gpu.index),
                                       on((*found)->makeFloat), on((*found)->makeDouble));
}

} // namespace gridhelm::gpu
