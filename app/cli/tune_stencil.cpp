// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune_stencil.h"

#include "app/cli/interrupted.h"
#include "core/dispatch/work_seconds.h"
#include "core/stencil/generate/code.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace gridhelm::cli {
namespace {

using stencil::Stencil;
using stencil::Target;
using tuning::SearchSpace;
using tuning::Variant;

/// Seconds of an iteration: the best of some runs, since other programs run as well.
double secondsOfIteration(const Stencil &stencil, const data::StencilMeans &means,
                          const ExecutionContext &context, const std::stop_token &stop)
{
    const auto code = prepareStencil(stencil, means, context, stop);
    if (stop.stop_requested())
        throw Interrupted("Stopped; nothing was written");
    if (!code.whyLiteral.empty())
        throw Error("Variants of the code cannot be tried: " + code.whyLiteral);
    const auto stepper = code.makeStepper();
    constexpr double enough = 0.05; // seconds
    constexpr int repeats = 5;
    auto iterations = static_cast<std::uint64_t>(stencil.target.iterationsPerPass);
    double best = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < repeats && !stop.stop_requested();) {
        const double seconds = dispatch::workSeconds([&] { stepper->advance(iterations, stop); });
        if (stop.stop_requested()) // what was timed is a part of it
            break;
        if (seconds < enough) {
            iterations *= 2;
            continue;
        }
        best = std::min(best, seconds / static_cast<double>(iterations));
        ++repeat;
    }
    if (stop.stop_requested())
        throw Interrupted("Stopped; nothing was written");
    return best;
}

std::vector<int> withOwn(std::vector<int> values, int own)
{
    if (std::ranges::find(values, own) == values.end())
        values.push_back(own);
    std::ranges::sort(values);
    return values;
}

// Of a CPU: iterations a pass, layers side by side. Of a GPU: iterations a pass, unknowns of a
// thread, threads of a block in x and y.

Target targetOf(const Stencil &stencil, const Variant &variant)
{
    auto target = stencil.target;
    target.iterationsPerPass = variant[0];
    if (stencil.isForGpu()) {
        target.unknowns = variant[1];
        target.block = {variant[2], variant[3]};
    } else {
        target.sideBySide = variant[1];
    }
    return target;
}

SearchSpace spaceOfCpu(const Stencil &stencil)
{
    SearchSpace space;
    space.dimensions = {{withOwn({1, 2, 3, 4, 6, 8}, stencil.target.iterationsPerPass), 0},
                        {withOwn({1, 2, 4, 8}, sideBySideOf(stencil)), 1}};
    space.start = {stencil.target.iterationsPerPass, sideBySideOf(stencil)};
    return space;
}

SearchSpace spaceOfGpu(const Stencil &stencil)
{
    const auto code = cudaDeviceCode(stencil);
    const bool is3D = stencil.dimension == 3;
    auto deepest = stencil;
    deepest.target.iterationsPerPass = stencil::mostIterationsPerGpuPass;
    const bool makesPasses = iterationsPerGpuPass(deepest) > 1;
    SearchSpace space;
    space.start = {code.levels, code.unknowns, code.block[0], code.block[1]};
    const std::vector<int> passes = makesPasses ? std::vector{1, 2, 3, 4, 6, 8} : std::vector{1};
    space.dimensions = {
        {withOwn(passes, code.levels), 0},
        {withOwn({4, 8, 16, 32}, code.unknowns), 0},
        {withOwn(is3D ? std::vector{32, 64} : std::vector{32, 64, 128, 256}, code.block[0]), 1},
        {withOwn(is3D ? std::vector{2, 4, 8} : std::vector{1, 2}, code.block[1]), 1}};
    // Passes have a shape of their own.
    space.allows = [start = space.start](const Variant &variant) {
        constexpr int mostThreads = 512;
        if (variant[2] * variant[3] > mostThreads)
            return false;
        return variant[0] == 1 || std::equal(variant.begin() + 1, variant.end(), start.begin() + 1);
    };
    return space;
}

} // namespace

std::string textOf(const StencilVariant &variant, const Stencil &stencil)
{
    const auto &target = variant.target;
    auto text = fmt::format("{} iteration{} a pass", target.iterationsPerPass,
                            target.iterationsPerPass == 1 ? "" : "s");
    if (stencil.isForGpu())
        return target.iterationsPerPass > 1
                   ? text
                   : text
                         + fmt::format(", blocks of {} x {}, {} unknowns", target.block[0],
                                       target.block[1], target.unknowns);
    return text + fmt::format(", {} side by side", target.sideBySide);
}

StencilTuning tuneStencil(const Stencil &stencil, const data::StencilMeans &means,
                          const ExecutionContext &context, const StencilTuneOptions &options)
{
    const auto begin = std::chrono::steady_clock::now();
    const auto space = stencil.isForGpu() ? spaceOfGpu(stencil) : spaceOfCpu(stencil);
    const auto measure = [&](const Variant &variant, double) {
        auto changed = stencil;
        changed.target = targetOf(stencil, variant);
        return secondsOfIteration(changed, means, context, options.stop);
    };
    tuning::SearchLimits limits;
    limits.stop = options.stop;
    if (options.seconds < 1e9)
        limits.deadline = begin
                          + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                              std::chrono::duration<double>(options.seconds));
    const auto result = search(options.strategy, space, measure, limits);
    const auto variantOf = [&](const tuning::Trial &trial) {
        return StencilVariant{targetOf(stencil, trial.variant),
                              static_cast<double>(stencil.count()) / trial.seconds};
    };
    StencilTuning tuning;
    for (const auto &trial : result.tried)
        tuning.tried.push_back(variantOf(trial));
    tuning.before = tuning.tried.front();
    tuning.best = variantOf(result.best);
    tuning.variants = space.all().size();
    tuning.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return tuning;
}

} // namespace gridhelm::cli
