// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/memory_bound_cases.h"

#include "app/bench/limits.h"
#include "app/bench/solver_problems.h"
#include "core/execution/memory_bandwidth.h"
#include "core/solvers/measured_problems.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/solvers/sor/sor_literal.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::bench {

using nlohmann::json;
using namespace solvers;

namespace {

constexpr std::size_t smallSize = 96;

/// One method on one problem with one number of threads.
struct Case
{
    json description; ///< "method" and what else tells it from the others
    std::function<std::unique_ptr<Stepper>(const PoissonProblem &)> make;
    std::uint64_t iterations; ///< a call: whole passes of the method
};

/// The cases in turns, between two measurements of what memory delivers to as many threads. One
/// grid after the other is in use, so what one case leaves in a cache does not serve another.
json measureCases(const std::vector<Case> &cases, const PoissonProblem &problem,
                  const CpuDevice &cpu, const MemoryBoundOptions &options)
{
    double copy = options.small ? measureMemoryBandwidth(cpu, quickMemoryBytes).copy
                                : measureMemoryBandwidth(cpu).copy;
    std::vector<std::unique_ptr<Stepper>> steppers;
    std::vector<std::function<void()>> works;
    for (const auto &each : cases) {
        steppers.push_back(each.make(problem));
        works.emplace_back(
            [&each, stepper = steppers.back().get()] { stepper->advance(each.iterations); });
    }
    const auto timings = measureInTurns(works, options.measure);
    if (!options.small)
        copy = std::max(copy, measureMemoryBandwidth(cpu).copy);

    json results = json::array();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto report = steppers[i]->report();
        const auto calls =
            static_cast<double>(report.iterations) / static_cast<double>(cases[i].iterations);
        const double bytes = report.bytes / calls;
        json result = cases[i].description;
        result["unknowns"] = problem.unknowns;
        result["threads"] = cpu.threads;
        result["iterations"] = cases[i].iterations;
        result["gbytes_per_second"] = bytes / timings[i].median * 1e-9;
        result["gflops_per_second"] = report.flops / calls / timings[i].median * 1e-9;
        result["copy_gbytes_per_second"] = copy * 1e-9;
        result["share_of_copy"] = bytes / timings[i].median / copy;
        result["best_share_of_copy"] = bytes / timings[i].fastest / copy;
        result["seconds"] = timings[i].median;
        result["spread"] = timings[i].spread;
        result["repeats"] = timings[i].repeats;
        results.push_back(std::move(result));
    }
    return results;
}

void append(json &list, const json &more)
{
    list.insert(list.end(), more.begin(), more.end());
}

Case caseOf(const PoissonSettings &settings, const CpuDevice &cpu, json description,
            std::uint64_t iterations)
{
    return {std::move(description),
            [settings, cpu](const PoissonProblem &problem) {
                return makePoissonStepper(problem, settings, ExecutionContext(cpu));
            },
            iterations};
}

/// With its standard options, in calls that are whole passes and not too short to be timed.
Case jacobiCase(const PoissonMethod &method, Precision precision, const CpuDevice &cpu)
{
    const auto granule = granuleOf(method, {});
    const std::uint64_t passes = method.isSerial ? 1 : granule == 1 ? 4 : 2;
    json description = {{"method", method.name}, {"precision", nameOf(precision)}};
    for (const auto *option : method.options) {
        if (option->standardName.empty()) // alpha 6: launches of 7 iterations
            description[std::string(option->key)] = option->standard;
    }
    return caseOf({std::string(method.name), precision}, cpu, std::move(description),
                  passes * granule);
}

Case redBlackCase(Precision precision, const CpuDevice &cpu, int iterationsPerPass)
{
    return caseOf({"red-black", precision, {{"pass", iterationsPerPass}}}, cpu,
                  {{"method", "red-black"},
                   {"precision", nameOf(precision)},
                   {"iterations_per_pass", iterationsPerPass}},
                  iterationsPerPass == 1 ? 4U : 8U);
}

double largestDifference(const FieldView &field, const std::vector<double> &expected)
{
    return std::visit(
        [&](auto values) {
            double largest = 0;
            for (std::size_t i = 0; i < expected.size(); ++i) {
                const double difference = std::abs(static_cast<double>(values[i]) - expected[i]);
                if (!(difference <= largest)) // a NaN is the largest of all
                    largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                                     : difference;
            }
            return largest;
        },
        field.values);
}

/// After 33 iterations in double on a small grid of odd size.
json errorAgainstNaive(const CpuDevice &cpu)
{
    const auto problem = roughLaplaceProblem(2, 301);
    const auto after = [&](const PoissonMethod &method) {
        auto stepper = jacobiCase(method, Precision::float64, cpu).make(problem);
        stepper->advance(33);
        return stepper;
    };
    const auto naive = after(naiveJacobi);
    const auto values = std::get<std::span<const double>>(naive->field().values);
    const std::vector<double> expected(values.begin(), values.end());
    return {{"tuned", largestDifference(after(tunedJacobi)->field(), expected)},
            {"temporal", largestDifference(after(temporalJacobi)->field(), expected)}};
}

double redBlackErrorAgainstLiteral(int dimension, const CpuDevice &cpu)
{
    const auto problem = roughLaplaceProblem(dimension, dimension == 2 ? 151 : 23);
    reference::LiteralSor literal(problem);
    const auto stepper = makePoissonStepper(
        problem, {"red-black", Precision::float64, {{"relaxation", 1.5}}}, ExecutionContext(cpu));
    stepper->advance(17);
    for (int i = 0; i < 17; ++i)
        literal.redBlackSweep(1.5);
    return largestDifference(stepper->field(), literal.values());
}

} // namespace

json benchJacobi(const MemoryBoundOptions &options)
{
    json result = {{"cases", json::array()}, {"temporal_to_tuned", json::array()}};
    for (const auto precision : {Precision::float32, Precision::float64}) {
        const auto problem =
            roughLaplaceProblem(2, options.small ? smallSize : sizeBeyondCache(2, precision, 1));
        for (int threads : std::set<int>{1, options.context.cpu().threads}) {
            const CpuDevice cpu{threads};
            std::vector<Case> cases;
            for (const auto *method : methodsOf(jacobiFamily)) {
                if (!method->isSerial || threads == 1)
                    cases.push_back(jacobiCase(*method, precision, cpu));
            }
            const auto measured = measureCases(cases, problem, cpu, options);
            const auto speed = [&](const PoissonMethod &method) {
                const auto found = std::ranges::find_if(
                    measured, [&](const json &each) { return each["method"] == method.name; });
                return (*found)["gbytes_per_second"].get<double>();
            };
            result["temporal_to_tuned"].push_back(
                {{"precision", nameOf(precision)},
                 {"threads", threads},
                 {"ratio", speed(temporalJacobi) / speed(tunedJacobi)}});
            append(result["cases"], measured);
        }
        const auto cube = roughLaplaceProblem(3, options.small ? smallSize / 4
                                                               : sizeBeyondCache(3, precision, 1));
        for (int threads : std::set<int>{1, options.context.cpu().threads})
            append(result["cases"],
                   measureCases({jacobiCase(tunedJacobi, precision, CpuDevice{threads})}, cube,
                                CpuDevice{threads}, options));
    }
    result["error_against_naive"] = errorAgainstNaive(options.context.cpu());
    return result;
}

json benchRedBlack(const MemoryBoundOptions &options)
{
    json result = {{"cases", json::array()}};
    for (const auto precision : {Precision::float32, Precision::float64}) {
        for (int dimension : {2, 3}) {
            // each colour is an array
            const auto n = sizeBeyondCache(dimension, precision, 2);
            const auto problem = roughLaplaceProblem(
                dimension, options.small ? smallSize / (dimension == 3 ? 4 : 1) : n);
            for (int threads : std::set<int>{1, options.context.cpu().threads})
                append(result["cases"],
                       measureCases({redBlackCase(precision, CpuDevice{threads}, 1),
                                     redBlackCase(precision, CpuDevice{threads}, 0)},
                                    problem, CpuDevice{threads}, options));
        }
    }
    result["error_against_literal"] = {
        {"2d", redBlackErrorAgainstLiteral(2, options.context.cpu())},
        {"3d", redBlackErrorAgainstLiteral(3, options.context.cpu())}};
    return result;
}

} // namespace gridhelm::bench
