// SPDX-License-Identifier: GPL-3.0-or-later
//
// A problem on several devices, logical ones of the CPU or of a GPU, beside the same on one; with
// GRIDHELM_TEST_RANKS on several ranks with a CPU each.
#pragma once

#include "core/solvers/poisson/poisson_stepper.h"
#include "tests/core/field_values.h"
#include "tests/core/sanitized.h"
#include "tests/solvers/jacobi_cases.h"
#ifdef GRIDHELM_TEST_RANKS
#include "tests/solvers/ranked_stepper.h"
#endif
#include "tests/solvers/tested_team.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace gridhelm::test {

inline std::unique_ptr<solvers::Stepper> makeOn(const ExecutionContext &context,
                                                const solvers::PoissonProblem &problem,
                                                const solvers::PoissonSettings &settings)
{
    const auto make = [&](const ExecutionContext &one) {
#ifdef GRIDHELM_TEST_CUDA
        return gpu::makeCudaPoissonStepper(problem, settings, one);
#else
        return solvers::makePoissonStepper(problem, settings, one);
#endif
    };
#ifdef GRIDHELM_TEST_RANKS
    if (!context.team().empty())
        return std::make_unique<RankedStepper>(context, make);
#endif
    return make(context);
}

inline const std::vector<std::vector<int>> teams{{1}, {1, 1}, {1, 2, 1}, {1, 1, 3, 2}};

/// Empty if both are the same to the last bit.
inline std::string difference(const solvers::Stepper &divided, const solvers::Stepper &one)
{
    if (valuesOf(divided) != valuesOf(one))
        return "other values";
    const auto a = divided.report();
    const auto b = one.report();
    if (a.iterations != b.iterations)
        return "other number of iterations";
    if (a.residual != b.residual)
        return "residual " + std::to_string(a.residual) + " instead of "
               + std::to_string(b.residual);
    if (!(a.largestChange == b.largestChange || std::isnan(b.largestChange)))
        return "largest change " + std::to_string(a.largestChange) + " instead of "
               + std::to_string(b.largestChange);
    return {};
}

/// After some iterations, and some more.
inline std::string difference(solvers::Stepper &divided, solvers::Stepper &one,
                              const std::string &what,
                              const std::vector<std::uint64_t> &advances = {0, 1, 2, 30})
{
    for (auto iterations : advances) {
        divided.advance(iterations);
        one.advance(iterations);
        const auto text = difference(divided, one);
        if (!text.empty())
            return text + " after " + std::to_string(iterations) + " more; " + what;
    }
    return {};
}

/// Empty if the stepper of so many devices tells how they spend their time.
inline std::string mistakeInTimes(solvers::Stepper &stepper, std::size_t devices)
{
    stepper.advance(500);
    (void)stepper.report(); // until it is done
    (void)stepper.takeShareTimes();
    stepper.advance(500);
    (void)stepper.report();
    const auto times = stepper.takeShareTimes();
    if (times.size() != devices)
        return std::to_string(times.size()) + " devices' times";
    double transfer = 0;
    for (const auto &each : times) {
        transfer += each.transfer;
        for (const double part : {each.transfer, each.idle}) {
            if (!(part >= 0 && part <= 1))
                return std::to_string(part) + " of the time";
        }
    }
    return transfer > 0 ? "" : "nothing is sent";
}

/// On none of the teams.
inline std::string differenceFromOne(const solvers::PoissonProblem &problem,
                                     const TestedSettings &settings)
{
#if defined(GRIDHELM_TEST_CUDA) && defined(GRIDHELM_TEST_RANKS)
    // Pinned memory, streams and events of many ranks on one GPU take most of a second.
    static int asked = 0;
    if (asked++ % 11 != 0)
        return {};
#endif
    for (const auto &threads : teams) {
        const auto one = makeOn(onOne(), problem, settings);
        const auto text =
            difference(*makeOn(onTeam(threads), problem, settings), *one,
                       std::to_string(threads.size()) + " devices, " + describe(problem, settings));
        if (!text.empty())
            return text;
    }
    return {};
}

/// Of boxes of fewer planes than devices, and of more, in both precisions.
inline std::string differenceIn3D(const std::string &method, Random &random)
{
    int count = 0;
    for (std::size_t width : {1, 7, 34}) {
        if (isSanitized && width != 7)
            continue;
        for (std::size_t height : {1, 5, 12}) {
            for (std::size_t depth : {1, 2, 3, 4, 9, 21}) {
                for (const auto &kinds : {allDirichlet, mixed, allNeumann}) {
                    const auto precision =
                        count % 2 == 0 ? solvers::Precision::float32 : solvers::Precision::float64;
                    const auto problem = iterationProblem(random, 3, {width, height, depth}, kinds,
                                                          kinds == allNeumann ? 0 : count % 3);
                    ++count;
                    const auto text = differenceFromOne(problem, with(method, precision));
                    if (!text.empty())
                        return text;
                }
            }
        }
    }
    return {};
}

/// After each live parameter of the problem and the method has got another value, and all have gone
/// on with it.
inline std::string differenceAfterLiveParameters(const solvers::PoissonProblem &problem,
                                                 const TestedSettings &settings, Random &random)
{
    for (const auto &threads : teams) {
        const auto divided = makeOn(onTeam(threads), problem, settings);
        const auto one = makeOn(onOne(), problem, settings);
        for (const auto &parameter : one->liveParameters()) {
            const double value =
                parameter.lowest
                + random.real(0.2, 0.8)
                      * (std::min(parameter.highest, 3.0) - std::max(parameter.lowest, -3.0));
            const double possible = std::clamp(value, parameter.lowest, parameter.highest);
            for (auto *stepper : {divided.get(), one.get()}) {
                stepper->setLiveParameter(parameter.name, possible);
                stepper->advance(3);
            }
            const auto text = difference(*divided, *one);
            if (!text.empty())
                return text + " after " + parameter.name + ", " + std::to_string(threads.size())
                       + " devices, " + describe(problem, settings);
        }
    }
    return {};
}

} // namespace gridhelm::test
