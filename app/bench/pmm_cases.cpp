// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/pmm_cases.h"

#include "core/solvers/measured_problems.h"
#include "core/solvers/pmm/pmm_stepper.h"
#include "core/solvers/pmm/reference_pmm.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::bench {

using nlohmann::json;
using namespace solvers;

namespace {

template <typename T>
double relativeError(const PmmStepper<T> &stepper, const std::vector<T> &expected)
{
    const auto times = std::get<std::span<const T>>(stepper.field().values);
    double largest = 0, latest = 0;
    for (std::size_t node = 0; node < expected.size(); ++node) {
        latest = std::max(latest, static_cast<double>(expected[node]));
        const double difference =
            std::abs(static_cast<double>(times[node]) - static_cast<double>(expected[node]));
        if (!(difference <= largest)) // NaN: one of them is not reached, or wrong
            largest = std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
    }
    return largest / latest;
}

template <typename T>
json benchType(std::size_t n, bool anisotropic, const PmmBenchOptions &options)
{
    const auto problem = ballInCube(n, anisotropic);
    PmmStepper<T> one(problem, {}, ExecutionContext(CpuDevice{}));
    PmmStepper<T> all(problem, {}, options.context);
    std::vector<T> expected;
    const auto timings =
        measureInTurns({[&] {
                            expected = initialTimes<T>(problem);
                            referenceSweep(problem, expected);
                        },
                        [&] { (void)sweepFromSource(one); }, [&] { (void)sweepFromSource(all); }},
                       options.measure);
    const double updates = 6 * static_cast<double>(problem.count());
    const auto report = one.report();
    const double flopsOfSweep = report.flops / static_cast<double>(report.iterations);
    return {{"nodes", problem.nodes},
            {"medium", anisotropic ? "anisotropic" : "isotropic"},
            {"precision", sizeof(T) == 4 ? "float" : "double"},
            {"threads", options.context.cpu().threads},
            {"reference", rate(updates, timings[0])},
            {"one_thread", rate(updates, timings[1])},
            {"all_threads", rate(updates, timings[2])},
            {"one_thread_to_reference", timings[0].median / timings[1].median},
            {"all_threads_to_one", timings[1].median / timings[2].median},
            {"gflops_per_second", flopsOfSweep / timings[1].median * 1e-9},
            {"error_against_reference",
             std::max(relativeError(one, expected), relativeError(all, expected))}};
}

} // namespace

json benchPmm(const PmmBenchOptions &options)
{
    json results = json::array();
    for (const auto n : options.nodes) {
        for (bool anisotropic : {false, true}) {
            results.push_back(benchType<float>(n, anisotropic, options));
            results.push_back(benchType<double>(n, anisotropic, options));
        }
    }
    return results;
}

} // namespace gridhelm::bench
