// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/stencil_team.h"

#include "core/stencil/compiled_part.h"
#include "core/stencil/divided_iterations.h"
#include "core/stencil/padded_values.h"
#include "core/support/memory_check.h"
#include "data/stencil/compile_cubin.h"
#include "data/stencil/compile_stencil.h"
#include "data/stencil/gpu_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <variant>

namespace gridhelm::data {
namespace {

using stencil::Stencil;
using stencil::StencilMember;

/// A team with its code; GPUs come first.
struct TeamCode
{
    std::vector<GpuDevice> gpus;
    std::vector<std::shared_ptr<const std::string>> cubins; ///< of each GPU
    std::vector<CpuDevice> cpus;
    stencil::CompiledKernel kernel; ///< of the CPUs
    const stencil::StencilGpu *gpu = nullptr;
    CpuDevice formulas; ///< by whose threads lists are filled in

    std::vector<Device> team() const
    {
        std::vector<Device> all(gpus.begin(), gpus.end());
        all.insert(all.end(), cpus.begin(), cpus.end());
        return all;
    }
};

/// GPUs of one kind have one code.
void compileForGpus(const Stencil &stencil, const StencilMeans &means,
                    const ExecutionContext &context, TeamCode &code, PreparedStencil &result)
{
    std::map<std::string, std::shared_ptr<const std::string>> made;
    for (const auto &gpu : code.gpus) {
        const auto compiler = means.gpu->compilerFor(context.withTeam({}).withGpus({gpu}));
        auto &cubin = made[compiler.identity];
        if (!cubin) {
            auto compiled = compileCubin(stencil, compiler, means.cache);
            result.code = compiled.wasThere ? "from the cache" : "compiled";
            result.compiler = compiler.name;
            result.seconds += compiled.seconds;
            cubin = std::make_shared<const std::string>(std::move(compiled.bytes));
        }
        code.cubins.push_back(cubin);
    }
    code.gpu = means.gpu;
    result.iterationsPerPass = toldGpuPass(stencil, context);
}

void compileForCpus(const Stencil &stencil, const StencilMeans &means, TeamCode &code,
                    PreparedStencil &result, const std::stop_token &stop)
{
    auto compiled = compileStencil(stencil, means.cache, stop);
    result.whyLiteral = compiled.whyNot;
    if (compiled.kernel.function == nullptr)
        return;
    result.code = compiled.wasThere ? "from the cache" : "compiled";
    result.compiler += (result.compiler.empty() ? "" : ", ") + compiled.compiler;
    result.seconds += compiled.seconds;
    if (code.gpus.empty())
        result.iterationsPerPass = stencil.target.iterationsPerPass;
    code.kernel = std::move(compiled.kernel);
}

template <typename T>
std::vector<StencilMember<T>> membersOf(const TeamCode &code)
{
    std::vector<StencilMember<T>> members;
    for (std::size_t i = 0; i < code.gpus.size(); ++i)
        members.push_back({[code, i](const stencil::StencilPiece &piece) {
                               return code.gpu->makePart(piece, *code.cubins[i], code.gpus[i],
                                                         code.formulas, T(0));
                           },
                           0, 1});
    const std::size_t groups = code.gpus.empty() ? 0 : 1; // one thread for all GPUs
    for (std::size_t i = 0; i < code.cpus.size(); ++i)
        members.push_back({[code, i](const stencil::StencilPiece &piece) {
                               return stencil::makeCompiledPart<T>(piece, code.kernel,
                                                                   code.cpus[i]);
                           },
                           groups + i, static_cast<double>(code.cpus[i].threads)});
    return members;
}

/// Of the CPUs, which are behind the GPUs.
template <typename T>
double weightOfCpus(const std::vector<StencilMember<T>> &members, std::size_t gpus)
{
    double sum = 0;
    for (std::size_t i = gpus; i < members.size(); ++i)
        sum += members[i].weight;
    return sum;
}

/// So that the GPUs have that part of the layers together, and each as much as another.
template <typename T>
void setPartition(std::vector<StencilMember<T>> &members, std::size_t gpus, double part)
{
    const double ofCpus = weightOfCpus(members, gpus);
    for (std::size_t i = 0; i < members.size(); ++i)
        members[i].weight =
            i < gpus ? part / static_cast<double>(gpus) : (1 - part) * members[i].weight / ofCpus;
}

/// What the GPUs have if both are to end at the same time.
template <typename T>
double measuredPart(const Stencil &stencil, const std::vector<StencilMember<T>> &members,
                    std::size_t gpus)
{
    const double ofGpus =
        static_cast<double>(gpus) * measuredSpeed<T>(stencil, members.front().make);
    const double ofCpu = measuredSpeed<T>(stencil, members[gpus].make);
    const double ofCpus = ofCpu / members[gpus].weight * weightOfCpus(members, gpus);
    return ofGpus / (ofGpus + ofCpus);
}

/// `weights`: of the GPUs, which have memory of their own, and of the CPUs behind them.
void requireRoomOfCpus(const Stencil &stencil, const std::vector<double> &weights, std::size_t gpus)
{
    const auto begin =
        weights.begin() + static_cast<std::ptrdiff_t>(std::min(gpus, weights.size()));
    const double share = std::accumulate(begin, weights.end(), 0.0)
                         / std::accumulate(weights.begin(), weights.end(), 0.0);
    if (share > 0)
        requireMemory(share * stencil::paddedBytes(stencil) * stencil::listsOf(stencil),
                      "the CPU's subdomain of a grid of " + std::to_string(stencil.count())
                          + " points",
                      "choose fewer points, or float");
}

template <typename T>
std::unique_ptr<stencil::StencilIterations<T>>
iterationsOf(const Stencil &stencil, const TeamCode &code, const ExecutionContext &context)
{
    auto members = membersOf<T>(code);
    auto where = context.withTeam(code.team());
    const auto gpus = code.gpus.size();
    if (gpus > 0 && gpus < members.size()) {
        const double part = stencil.target.partition > 0 ? stencil.target.partition
                                                         : measuredPart(stencil, members, gpus);
        setPartition(members, gpus, part);
        const double layersOfCpu = (1 - part) * static_cast<double>(layersOf(stencil));
        if (layersOfCpu < ghostsOf(stencil)) {
            context.report({ExecutionEvent::Kind::notice,
                            fmt::format("the CPU has no part in this: it would get {:.2g} of {} {}",
                                        layersOfCpu, layersOf(stencil), nameOfLayers(stencil))});
            members.resize(gpus);
            where = context.withTeam(std::vector<Device>(code.gpus.begin(), code.gpus.end()));
        }
    }
    std::vector<double> weights;
    for (const auto &member : members)
        weights.push_back(member.weight);
    requireRoomOfCpus(stencil, weights, gpus);
    return makeDividedIterations<T>(stencil, members, dividedLayers(stencil, weights), where);
}

template <typename T>
std::unique_ptr<solvers::Stepper> stepperOf(const Stencil &stencil, const TeamCode &code,
                                            const ExecutionContext &context)
{
    return stencil::makeStencilStepper<T>(stencil, context.cpu(), [&](const Stencil &kept) {
        return iterationsOf<T>(kept, code, context);
    });
}

} // namespace

PreparedStencil prepareTeam(const Stencil &stencil, const StencilMeans &means,
                            const ExecutionContext &context, const std::stop_token &stop)
{
    TeamCode code;
    for (const auto &device : context.team()) {
        if (const auto *gpu = std::get_if<GpuDevice>(&device))
            code.gpus.push_back(*gpu);
        else
            code.cpus.push_back(std::get<CpuDevice>(device));
    }
    code.formulas = context.cpu();
    PreparedStencil result;
    if (!code.gpus.empty())
        compileForGpus(stencil, means, context, code, result);
    if (!code.cpus.empty())
        compileForCpus(stencil, means, code, result, stop);
    if (!code.cpus.empty() && code.kernel.function == nullptr && !code.gpus.empty()) {
        context.report({ExecutionEvent::Kind::notice,
                        "the CPU has no part in this: " + std::exchange(result.whyLiteral, {})});
        code.cpus.clear();
    }
    result.backend = code.gpus.empty() ? "omp" : "cuda";
    for (auto &cpu : code.cpus) {
        // One thread enqueues the GPUs' work, and carries their edges.
        if (!code.gpus.empty())
            cpu.threads = std::max(1, cpu.threads - 1);
    }
    result.threads = std::accumulate(code.cpus.begin(), code.cpus.end(), 0,
                                     [](int sum, const auto &cpu) { return sum + cpu.threads; });
    if (code.gpus.empty() && code.kernel.function == nullptr) {
        result.threads = context.cpu().threads;
        result.makeStepper = [stencil, cpu = context.cpu()] {
            return makeStencilStepper(stencil, {}, cpu);
        };
        return result;
    }
    result.makeStepper = [stencil, code = std::move(code), context] {
        return stencil.precision == solvers::Precision::float32
                   ? stepperOf<float>(stencil, code, context)
                   : stepperOf<double>(stencil, code, context);
    };
    return result;
}

std::vector<Device> teamOf(const stencil::Target &target, const ExecutionContext &context)
{
    using Kind = stencil::Target::Device;
    std::vector<Device> team;
    if (target.device == Kind::several || target.device == Kind::both)
        team.assign(context.gpus().begin(), context.gpus().end());
    if (target.device == Kind::both && !team.empty())
        team.emplace_back(context.cpu());
    return team;
}

} // namespace gridhelm::data
