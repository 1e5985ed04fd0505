// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/backend_cases.h"

#include "app/bench/device_seconds.h"

#include <variant>

namespace gridhelm::bench {

using namespace dispatch;
using nlohmann::json;
using solvers::Precision;

namespace {

std::vector<Workload> workloads(bool isLarge)
{
    const std::size_t square = isLarge ? 16384 : 96, cube = isLarge ? 640 : 24,
                      nodes = isLarge ? 256 : 17;
    const int level = isLarge ? 10 : 4;
    const auto poisson = [](const char *method, int dimension, std::size_t side,
                            std::uint64_t iterations) {
        return PoissonWork{method, Precision::float32, dimension, side, iterations};
    };
    // Whole passes: temporal takes several iterations at a time, a launch of async3 seven, MLSSOR
    // as many as it has layers.
    return {TransformWork{10, level},
            InterpolationWork{6, level, isLarge ? std::size_t{1000000} : 1000},
            InterpolationWork{10, level, isLarge ? std::size_t{100000} : 1000},
            CartesianWork{6, isLarge ? 8 : 4, isLarge ? std::size_t{256} : 16},
            CombinationWork{isLarge ? std::size_t{250} : 10, isLarge ? std::size_t{1000000} : 1000},
            poisson("tuned", 2, square, 8),
            poisson("temporal", 2, square, 32),
            poisson("async3", 2, square, 14),
            poisson("tuned", 3, cube, 8),
            poisson("red-black", 2, square, 8),
            poisson("red-black", 3, cube, 8),
            poisson("mlssor", 2, square / 2, 32),
            PmmWork{false, Precision::float64, nodes},
            PmmWork{true, Precision::float64, nodes}};
}

struct Measured
{
    Timing timing;
    CountedWork counted;
};

Measured measureOn(const Workload &work, const Candidate &candidate,
                   const ExecutionContext &context)
{
    constexpr MeasureOptions options{0.5, 5, 2};
    const auto prepared = prepare(work, candidate, context);
    std::vector<double> seconds{prepared->run()};
    if (seconds.front() < options.longRun) {
        double total = 0;
        seconds.clear(); // a warm-up
        while (total < options.seconds || static_cast<int>(seconds.size()) < options.minRepeats)
            total += seconds.emplace_back(prepared->run());
    }
    return {timingOf(seconds), prepared->counted()};
}

} // namespace

std::vector<Workload> largeWorkloads()
{
    return workloads(true);
}

std::vector<Workload> smallWorkloads()
{
    return workloads(false);
}

MeasuredOperation measureOperation(const Workload &work, const ExecutionContext &context,
                                   const Candidate *device, const gpu::DeviceLimits &limits)
{
    const auto here = measureOn(work, dispatch::cpuCandidate(), context);
    MeasuredOperation result{work, here.counted, here.timing, {}, {}};
    if (!device)
        return result;
    const double throughInterface = measureOn(work, *device, context).timing.median;
    const auto alone = secondsOnDevice(work, context, limits);
    result.onDevice = alone.value_or(throughInterface);
    if (alone)
        result.delivered = throughInterface;
    return result;
}

json jsonOf(const MeasuredOperation &operation, const Limits &limits)
{
    const auto limit = limitOf(operation.work);
    const double amount = limit.isOfFlops ? operation.counted.flops : operation.counted.bytes;
    const double here = operation.cpu.median;
    json row = {{"operation", nameOf(operationOf(operation.work))},
                {"work", textOf(operation.work)},
                {"limit", limit.name},
                {"cpu",
                 {{"seconds", here},
                  {"share", amount / here / (limits.cpu.*limit.ofCpu)},
                  {"spread", operation.cpu.spread},
                  {"repeats", operation.cpu.repeats}}}};
    if (operation.onDevice)
        row["device"] = {{"seconds", *operation.onDevice},
                         {"share", amount / *operation.onDevice / (limits.device.*limit.ofDevice)},
                         {"times", here / *operation.onDevice}};
    if (operation.delivered) {
        row["device"]["delivered_seconds"] = *operation.delivered;
        row["device"]["delivered_times"] = here / *operation.delivered;
    }
    return row;
}

} // namespace gridhelm::bench
