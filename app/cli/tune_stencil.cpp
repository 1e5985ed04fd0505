// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune_stencil.h"

#include "app/cli/interrupted.h"
#include "core/dispatch/work_seconds.h"
#include "core/stencil/stencil_stepper.h"
#include "core/support/cache_folder.h"
#include "core/support/error.h"
#include "core/tuning/search.h"
#include "data/stencil/compile_stencil.h"

#include <algorithm>
#include <limits>

namespace gridhelm::cli {
namespace {

/// Seconds of an iteration: the best of some runs, since other programs run as well.
double secondsOfIteration(const stencil::Stencil &stencil, const CpuDevice &cpu,
                          const std::stop_token &stop)
{
    auto code = data::compileStencil(stencil, cacheFolder(), stop);
    if (stop.stop_requested())
        throw Interrupted("Stopped; nothing was written");
    if (code.kernel.function == nullptr)
        throw Error("Variants of the code cannot be tried: " + code.whyNot);
    const auto stepper = makeStencilStepper(stencil, std::move(code.kernel), cpu);
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

} // namespace

StencilTuning tuneStencil(const stencil::Stencil &stencil, const CpuDevice &cpu,
                          const std::stop_token &stop)
{
    const auto withOwn = [](std::vector<int> values, int own) {
        if (std::ranges::find(values, own) == values.end())
            values.push_back(own);
        std::ranges::sort(values);
        return values;
    };
    const auto &target = stencil.target;
    tuning::SearchSpace space;
    space.dimensions = {{withOwn({1, 2, 3, 4, 6, 8}, target.iterationsPerPass), 0},
                        {withOwn({1, 2, 4, 8}, sideBySideOf(stencil)), 1}};
    space.start = {target.iterationsPerPass, sideBySideOf(stencil)};
    const auto measure = [&](const tuning::Variant &variant, double) {
        auto changed = stencil;
        changed.target.iterationsPerPass = variant[0];
        changed.target.sideBySide = variant[1];
        return secondsOfIteration(changed, cpu, stop);
    };
    tuning::SearchLimits limits;
    limits.stop = stop;
    const auto result = search(tuning::Strategy::partitions, space, measure, limits);
    const auto variantOf = [&](const tuning::Trial &trial) {
        return StencilVariant{trial.variant[0], trial.variant[1],
                              static_cast<double>(stencil.count()) / trial.seconds};
    };
    StencilTuning tuning;
    for (const auto &trial : result.tried)
        tuning.tried.push_back(variantOf(trial));
    tuning.before = tuning.tried.front();
    tuning.best = variantOf(result.best);
    return tuning;
}

} // namespace gridhelm::cli
