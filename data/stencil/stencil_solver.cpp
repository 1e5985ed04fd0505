// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/stencil_solver.h"

#include "core/dispatch/failover_stepper.h"
#include "core/execution/fallback.h"
#include "data/stencil/compile_cubin.h"
#include "data/stencil/compile_stencil.h"

#include <fmt/format.h>

#include <utility>

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
    if (code.kernel.function != nullptr)
        result.code = code.wasThere ? "from the cache" : "compiled";
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
    if (stencil.target.device != stencil::Target::Device::gpu || means.backend == "omp"
        || means.devices == "cpu")
        return false;
    if (means.gpu != nullptr && !context.gpus().empty())
        return true;
    context.report({ExecutionEvent::Kind::fallback,
                    "the stencil is for a GPU, and there is none here: the CPU computes"});
    return false;
}

} // namespace

PreparedStencil prepareStencil(const Stencil &stencil, const StencilMeans &means,
                               const ExecutionContext &context, const std::stop_token &stop)
{
    requireStencil(stencil);
    if (context.sharesWork())
        throw Error("a stencil is solved by one device of one process: choose the CPU or one GPU, "
                    "and do without mpirun");
    if (means.isLiteral || !isForGpu(stencil, means, context))
        return onCpu(stencil, means, context, stop);
    if (means.gpu == nullptr)
        throw Error("this program has nothing for GPUs; choose the CPU");
    PreparedStencil result;
    const bool isOnGpu = withFallback(
        context, failed, by, [&] { result = onGpu(stencil, means, context); },
        [&] { result = onCpu(stencil, means, context, stop); });
    if (isOnGpu && context.fallback() == FallbackPolicy::allowed) {
        // What the CPU needs is compiled only if it is needed.
        auto second = [stencil, means, context, stop] {
            return onCpu(stencil, means, context, stop).makeStepper();
        };
        result.makeStepper = [context, first = std::move(result.makeStepper),
                              second = std::move(second)] {
            return dispatch::makeFailoverStepper(context, failed, by, first, second);
        };
    }
    return result;
}

} // namespace gridhelm::data
