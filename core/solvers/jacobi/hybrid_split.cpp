// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/hybrid_split.h"

#include "core/execution/seconds_line.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

namespace gridhelm::solvers::jacobi {
namespace {

/// Less is taken for noise, or for too little to gain.
constexpr double leastGain = 0.01;
/// Of what the lines say.
constexpr double asExpected = 1.02;
constexpr int mostTrials = 4;

/// As many layers of the problem, which take as long, but need not be sampled.
PoissonProblem timedProblem(const PoissonProblem &problem, std::size_t layers)
{
    PoissonProblem timed;
    timed.dimension = problem.dimension;
    timed.unknowns = problem.unknowns;
    timed.unknowns[problem.dimension == 3 ? 2 : 1] = layers;
    timed.spacing = problem.spacing;
    timed.sides = problem.sides;
    for (auto &side : timed.sides)
        side.value = 0;
    if (hasSourceArray(problem))
        timed.source = FunctionSource([](double, double, double) { return 0.0; });
    return timed;
}

struct SecondsRange
{
    double least, most;
};

/// Of some measurements of a few milliseconds.
template <typename T>
SecondsRange secondsOfIteration(Shares<T> &shares, int depth)
{
    constexpr double longEnough = 5e-3;
    constexpr int measurements = 5;
    const auto granule = static_cast<std::uint64_t>(depth);
    const auto mostPasses = std::max<std::uint64_t>(shares.portion() / granule, 1);
    std::uint64_t passes = 1;
    SecondsRange seconds{std::numeric_limits<double>::max(), 0};
    for (int measured = 0; measured < measurements;) {
        const auto iterations = passes * granule;
        const auto begin = std::chrono::steady_clock::now();
        shares.iterate(iterations, true); // which waits for the end
        const std::chrono::duration<double> all = std::chrono::steady_clock::now() - begin;
        if (all.count() < longEnough && passes < mostPasses) {
            passes = std::min(passes * 4, mostPasses);
            continue;
        }
        const double one = all.count() / static_cast<double>(iterations);
        seconds = {std::min(seconds.least, one), std::max(seconds.most, one)};
        ++measured;
    }
    return seconds;
}

template <typename T>
SecondsLine lineOf(const LayersMaker<T> &make, const PoissonProblem &problem, std::size_t layers,
                   int depth)
{
    const auto timed = [&](std::size_t some) {
        const auto shares = make(timedProblem(problem, some), some, nullptr, 0);
        return TimedItems{some, secondsOfIteration(*shares, depth).least};
    };
    const auto few = std::max<std::size_t>(layers / 2, 1);
    return lineThrough(timed(few), timed(std::max(layers, few + 1)));
}

} // namespace

template <typename T>
std::unique_ptr<Shares<T>> makeHybrid(const HybridDevices<T> &devices,
                                      const PoissonProblem &problem, std::size_t layersOfSlow)
{
    const auto layers = wholeSlab(problem).of;
    const auto part = [&problem](const LayersMaker<T> &make, std::size_t some) {
        return [&problem, &make, some](const std::shared_ptr<Messages> &messages, int other) {
            return make(problem, some, messages, other);
        };
    };
    return makePairedShares<T>(
        {part(devices.makeFast, layers - layersOfSlow), part(devices.makeSlow, layersOfSlow)},
        devices.depth);
}

template <typename T>
HybridSplit measuredSplit(const HybridDevices<T> &devices, const PoissonProblem &problem)
{
    // As many unknowns as caches do not hold, but no more than that: of the slower one it is a
    // part of the grid that is timed.
    constexpr std::size_t fastUnknowns = 1 << 25;
    constexpr std::size_t slowUnknowns = 1 << 23;
    const auto layers = wholeSlab(problem).of;
    const auto ofUnknowns = [&](std::size_t unknowns, std::size_t most) {
        return std::clamp<std::size_t>(unknowns / unknownsOfLayer(problem), 2,
                                       std::max<std::size_t>(most, 2));
    };
    const auto fast =
        lineOf(devices.makeFast, problem, ofUnknowns(fastUnknowns, layers), devices.depth);
    const auto slow =
        lineOf(devices.makeSlow, problem, ofUnknowns(slowUnknowns, layers / 2), devices.depth);
    HybridSplit split;
    split.secondsAlone = fast.at(layers);
    auto best = (1 - leastGain) * split.secondsAlone;
    // What the exchange costs, and what both take from each other, shows in a trial.
    auto share = std::min(helpersShare(fast, slow, layers), layers - 1);
    for (int trials = 0; trials < mostTrials; ++trials, share /= 2) {
        const auto ofFast =
            (layers - share + devices.granule - 1) / devices.granule * devices.granule;
        if (ofFast >= layers)
            break;
        const auto ofSlow = layers - ofFast;
        const auto expected = std::max(fast.at(ofFast), slow.at(ofSlow));
        if (expected > best)
            break;
        if (trials == 0) {
            const auto alone = devices.makeFast(timedProblem(problem, layers), layers, nullptr, 0);
            split.secondsAlone = secondsOfIteration(*alone, devices.depth).least;
            best = (1 - leastGain) * split.secondsAlone;
        }
        const auto pair = makeHybrid(devices, timedProblem(problem, layers), ofSlow);
        // The longest of them: it is not worth it to be slower now and then.
        const double together = secondsOfIteration(*pair, devices.depth).most;
        split.secondsTogether = trials == 0 ? together : std::min(split.secondsTogether, together);
        if (together < best) {
            best = together;
            split.layersOfSlow = ofSlow;
        }
        if (together < asExpected * expected)
            break; // otherwise it is the slower one that is late, more than a line can say
    }
    return split;
}

template std::unique_ptr<Shares<float>> makeHybrid(const HybridDevices<float> &,
                                                   const PoissonProblem &, std::size_t);
template std::unique_ptr<Shares<double>> makeHybrid(const HybridDevices<double> &,
                                                    const PoissonProblem &, std::size_t);
template HybridSplit measuredSplit(const HybridDevices<float> &, const PoissonProblem &);
template HybridSplit measuredSplit(const HybridDevices<double> &, const PoissonProblem &);

} // namespace gridhelm::solvers::jacobi
