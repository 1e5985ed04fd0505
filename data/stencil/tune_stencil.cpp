// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/tune_stencil.h"

#include "core/dispatch/work_seconds.h"
#include "core/stencil/generate/code.h"
#include "core/stencil/generate/folder_limits.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace gridhelm::data {
namespace {

using stencil::Stencil;
using stencil::Target;
using tuning::SearchSpace;
using tuning::Variant;

/// What was timed is a part of it only.
struct Stopped
{};

/// Seconds of an iteration: the best of some runs, since other programs run as well.
double secondsOfIteration(const Stencil &stencil, const StencilMeans &means,
                          const ExecutionContext &context, const StencilTuneOptions &options)
{
    const auto &stop = options.stop;
    const auto code = prepareStencil(stencil, means, context, stop);
    if (stop.stop_requested())
        throw Stopped();
    if (!code.whyLiteral.empty())
        throw Error(code.whyLiteral);
    const auto stepper = code.makeStepper();
    constexpr int repeats = 5;
    auto iterations = static_cast<std::uint64_t>(stencil.target.iterationsPerPass);
    double best = std::numeric_limits<double>::infinity();
    for (int repeat = 0; repeat < repeats;) {
        const double seconds = dispatch::workSeconds([&] { stepper->advance(iterations, stop); });
        if (stop.stop_requested())
            throw Stopped();
        if (seconds < options.shortest) {
            iterations *= 2;
            continue;
        }
        best = std::min(best, seconds / static_cast<double>(iterations));
        ++repeat;
    }
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

SearchSpace spaceOfCpu(const Stencil &stencil, bool keepsPasses)
{
    SearchSpace space;
    const auto passes = keepsPasses ? std::vector<int>{} : std::vector{1, 2, 3, 4, 6, 8};
    // As the code that is not tuned has it on this processor.
#if defined(__x86_64__)
    const bool isWide = __builtin_cpu_supports("avx512f") != 0;
#else
    const bool isWide = false;
#endif
    const int sideBySide = sideBySideOf(stencil, isWide);
    space.dimensions = {{withOwn(passes, stencil.target.iterationsPerPass), 0},
                        {withOwn({1, 2, 4, 8}, sideBySide), 1}};
    space.start = {stencil.target.iterationsPerPass, sideBySide};
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
        constexpr int usual = 512; // threads of a block
        if (variant[2] * variant[3] > std::max(usual, start[2] * start[3]))
            return false;
        return variant[0] == 1 || std::equal(variant.begin() + 1, variant.end(), start.begin() + 1);
    };
    return space;
}

} // namespace

std::string textOf(const StencilVariant &variant)
{
    const auto &target = variant.target;
    auto text = fmt::format("{} iteration{} a pass", target.iterationsPerPass,
                            target.iterationsPerPass == 1 ? "" : "s");
    if (target.device == Target::Device::cpu)
        return text + fmt::format(", {} side by side", target.sideBySide);
    return target.iterationsPerPass > 1
               ? text
               : text
                     + fmt::format(", blocks of {} x {}, {} unknowns", target.block[0],
                                   target.block[1], target.unknowns);
}

StencilTuning tuneStencil(const Stencil &stencil, const StencilMeans &means,
                          const ExecutionContext &context, const StencilTuneOptions &options)
{
    requireFolderCode(stencil);
    const auto begin = std::chrono::steady_clock::now();
    const auto space =
        stencil.isForGpu() ? spaceOfGpu(stencil) : spaceOfCpu(stencil, options.keepsPasses);
    std::vector<std::string> whyNot; // of each that was tried
    const auto measure = [&](const Variant &variant, double) {
        auto changed = stencil;
        changed.target = targetOf(stencil, variant);
        whyNot.emplace_back();
        try {
            return secondsOfIteration(changed, means, context, options);
        } catch (const Error &problem) {
            whyNot.back() = problem.what();
            return std::numeric_limits<double>::infinity();
        }
    };
    tuning::SearchLimits limits;
    limits.stop = options.stop;
    if (options.seconds < 1e9)
        limits.deadline = begin
                          + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                              std::chrono::duration<double>(options.seconds));
    StencilTuning tuning;
    tuning::SearchResult result;
    try {
        result = search(options.strategy, space, measure, limits);
    } catch (const Stopped &) {
        tuning.isStopped = true;
        return tuning;
    }
    const auto count = static_cast<double>(stencil.count());
    for (std::size_t i = 0; i < result.tried.size(); ++i)
        tuning.tried.push_back({targetOf(stencil, result.tried[i].variant),
                                count / result.tried[i].seconds, whyNot[i]});
    const auto best = std::ranges::max_element(tuning.tried, {}, &StencilVariant::updatesPerSecond);
    if (!best->whyNot.empty())
        throw Error("Variants of the code cannot be tried: " + best->whyNot);
    tuning.before = tuning.tried.front();
    tuning.best = *best;
    tuning.variants = space.all().size();
    tuning.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return tuning;
}

} // namespace gridhelm::data
