// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/stencil_solver.h"

#include "core/dispatch/failover_stepper.h"
#include "core/execution/fallback.h"
#include "data/stencil/compile_cubin.h"
#include "data/stencil/compile_stencil.h"
#include "data/stencil/gpu_passes.h"
#include "data/stencil/stencil_team.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <variant>

namespace gridhelm::data {
namespace {

using stencil::MakeStencilStepper;
using stencil::Stencil;

PreparedStencil onCpu(const Stencil &stencil, const StencilMeans &means,
                      const ExecutionContext &context, const std::stop_token &stop)
{
    CompiledStencil code;
    if (!means.isLiteral)
        code = compileStencil(stencil, means.cache, stop);
    PreparedStencil result;
    result.threads = context.cpu().threads;
    if (code.kernel.function != nullptr) {
        result.code = code.wasThere ? "from the cache" : "compiled";
        result.iterationsPerPass = stencil.target.iterationsPerPass;
    }
    result.compiler = code.compiler;
    result.seconds = code.seconds;
    result.whyLiteral = code.whyNot;
    result.makeStepper = [stencil, kernel = std::move(code.kernel), cpu = context.cpu()] {
        return makeStencilStepper(stencil, kernel, cpu);
    };
    return result;
}

PreparedStencil onGpu(const Stencil &stencil, const StencilMeans &means,
                      const ExecutionContext &context)
{
    const auto compiler = means.gpu->compilerFor(context);
    auto cubin = compileCubin(stencil, compiler, means.cache);
    PreparedStencil result;
    result.backend = "cuda";
    result.threads = 0;
    result.code = cubin.wasThere ? "from the cache" : "compiled";
    result.compiler = compiler.name;
    result.iterationsPerPass = toldGpuPass(stencil, context);
    result.seconds = cubin.seconds;
    result.makeStepper = [stencil, context, gpu = means.gpu, bytes = std::move(cubin.bytes)] {
        return gpu->makeStepper(stencil, bytes, context);
    };
    return result;
}

constexpr const char *failed = "cuda";
constexpr const char *by = "omp";

bool isForGpu(const Stencil &stencil, const StencilMeans &means, const ExecutionContext &context)
{
    const bool namesGpu = means.devices.starts_with("gpu");
    if (namesGpu && means.backend == "omp")
        throw Error(fmt::format("the back end omp computes on the CPU, and {} is a GPU; leave one "
                                "of the two open (auto)",
                                means.devices));
    if (namesGpu || means.backend == "cuda")
        return true;
    if (!stencil.isForGpu() || means.backend == "omp" || means.devices == "cpu")
        return false;
    if (means.gpu != nullptr && !context.gpus().empty())
        return true;
    context.report({ExecutionEvent::Kind::fallback,
                    "the stencil is for a GPU, and there is none here: the CPU computes"});
    return false;
}

/// With a team, if the user names one, or the stencil does and nobody else says who computes.
ExecutionContext withItsTeam(const Stencil &stencil, const StencilMeans &means,
                             const ExecutionContext &context)
{
    const bool isOpen = means.devices == "auto" && means.backend != "omp" && means.gpu != nullptr;
    if (!context.team().empty() || !isOpen)
        return context;
    auto team = teamOf(stencil.target, context);
    return team.size() > 1 ? context.withTeam(std::move(team)) : context;
}

/// As the first one, which needs GPUs, does it, or if that fails and may be replaced, by the CPU.
PreparedStencil withCpuBehind(const Stencil &stencil, const StencilMeans &means,
                              const ExecutionContext &context, const std::stop_token &stop,
                              const std::function<PreparedStencil()> &prepare)
{
    if (means.gpu == nullptr)
        throw Error("this program has nothing for GPUs; choose the CPU");
    PreparedStencil result;
    const bool isFirst = withFallback(
        context, failed, by, [&] { result = prepare(); },
        [&] { result = onCpu(stencil, means, context, stop); });
    if (isFirst && context.fallback() == FallbackPolicy::allowed) {
        // What the CPU needs is compiled only if it is needed.
        auto second = [stencil, means, context, stop] {
            const auto cpu = onCpu(stencil, means, context, stop);
            if (!cpu.whyLiteral.empty())
                context.report(
                    {ExecutionEvent::Kind::fallback,
                     "the literal loop computes the stencil, more slowly: " + cpu.whyLiteral});
            return cpu.makeStepper();
        };
        result.makeStepper = [context, first = std::move(result.makeStepper),
                              second = std::move(second)] {
            return dispatch::makeFailoverStepper(context, failed, by, first, second);
        };
    }
    return result;
}

} // namespace

PreparedStencil prepareStencil(const Stencil &stencil, const StencilMeans &means,
                               const ExecutionContext &given, const std::stop_token &stop)
{
    requireStencil(stencil);
    if (given.ranks())
        throw Error("a stencil is solved by one process: do without mpirun");
    // Where a whole is named, the CPU is all of it.
    if (means.isLiteral)
        return onCpu(stencil, means, given.withTeam({}), stop);
    const auto context = withItsTeam(stencil, means, given);
    if (!context.team().empty()) {
        const bool hasGpu = std::ranges::any_of(context.team(), [](const auto &device) {
            return std::holds_alternative<GpuDevice>(device);
        });
        if (means.backend != "auto" && (means.backend == "cuda") != hasGpu)
            throw Error(fmt::format("the back end {} cannot compute on {}; leave one of the two "
                                    "open (auto)",
                                    means.backend, means.devices));
        const auto shares = std::make_shared<std::vector<DeviceShare>>();
        const auto telling = context.withShares([shares](const auto &told) { *shares = told; });
        const auto prepare = [&] { return prepareTeam(stencil, means, telling, stop); };
        auto result = hasGpu ? withCpuBehind(stencil, means, telling, stop, prepare) : prepare();
        result.shares = shares;
        return result;
    }
    if (!isForGpu(stencil, means, context))
        return onCpu(stencil, means, context, stop);
    return withCpuBehind(stencil, means, context, stop,
                         [&] { return onGpu(stencil, means, context); });
}

} // namespace gridhelm::data
