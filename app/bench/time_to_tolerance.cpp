// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/time_to_tolerance.h"

#include "app/bench/solver_problems.h"
#include "core/solvers/jacobi/jacobi_stepper.h"
#include "core/solvers/sor/sor_stepper.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace gridhelm::bench {

using nlohmann::json;
using namespace solvers;

namespace {

/// A method with its choices.
struct Candidate
{
    std::string family; ///< the best of a family is named
    json description;
    std::function<std::unique_ptr<Stepper>(const PoissonProblem &)> make;
    std::uint64_t pass; ///< iterations that it does at once
};

Candidate jacobiCandidate(const std::string &family, const JacobiOptions &options,
                          const ExecutionContext &context)
{
    json description = {{"method", solvers::nameOf(options.method)}};
    std::uint64_t pass = 16;
    if (family == "async") {
        description["alpha"] = options.asyncFactor;
        description["tile"] = options.tile; // 0: its own choice
        pass = static_cast<std::uint64_t>(options.asyncFactor) + 1;
    }
    return {family, std::move(description),
            [options, context](const PoissonProblem &problem) {
                return makeJacobiStepper(problem, options, context);
            },
            pass};
}

Candidate sorCandidate(const std::string &family, const SorSettings &settings,
                       const ExecutionContext &context)
{
    json description = {{"method", family}};
    std::uint64_t pass = 8;
    if (settings.method == SorMethod::mlssor) {
        description["layers"] = settings.shape.layers;
        description["width"] = settings.shape.width;
        pass = settings.shape.layers;
    }
    if (settings.method == SorMethod::sequential) {
        const bool isSsor = settings.direction == SweepDirection::alternating;
        description["sweeps"] = isSsor ? "alternating" : "forward";
        pass = 2;
    }
    return {family, std::move(description),
            [settings, context](const PoissonProblem &problem) {
                return makeSorStepper(problem, settings, context);
            },
            pass};
}

std::vector<Candidate> jacobiCandidates(const ToleranceOptions &options)
{
    JacobiOptions jacobi;
    std::vector<Candidate> candidates;
    for (const auto method : {JacobiMethod::tuned, JacobiMethod::temporal}) {
        jacobi.method = method;
        candidates.push_back(
            jacobiCandidate(std::string(solvers::nameOf(method)), jacobi, options.context));
    }
    for (const auto method :
         {JacobiMethod::async0, JacobiMethod::async1, JacobiMethod::async2, JacobiMethod::async3}) {
        jacobi.method = method;
        for (int alpha : {6, 20}) {
            for (const std::array<std::size_t, 2> tile :
                 {std::array<std::size_t, 2>{0, 0}, std::array<std::size_t, 2>{1024, 256}}) {
                if (options.fewChoices && (alpha != 6 || tile[0] != 0))
                    continue;
                jacobi.asyncFactor = alpha;
                jacobi.tile = tile;
                candidates.push_back(jacobiCandidate("async", jacobi, options.context));
            }
        }
    }
    return candidates;
}

std::vector<Candidate> sorCandidates(const ToleranceOptions &options)
{
    SorSettings settings;
    settings.precision = Precision::float32;
    settings.method = SorMethod::redBlack;
    std::vector<Candidate> candidates{sorCandidate("red-black", settings, options.context)};
    settings.method = SorMethod::mlssor;
    for (const auto &shape : {MlssorShape{16, 32}, MlssorShape{8, 16}, MlssorShape{8, 32},
                              MlssorShape{16, 64}, MlssorShape{32, 64}}) {
        if (options.fewChoices && shape.width != 16)
            continue;
        settings.shape = shape;
        candidates.push_back(sorCandidate("mlssor", settings, options.context));
    }
    settings.method = SorMethod::sequential;
    for (const auto direction : {SweepDirection::forward, SweepDirection::alternating}) {
        settings.direction = direction;
        candidates.push_back(sorCandidate("sequential", settings, options.context));
    }
    return candidates;
}

double relaxationOf(const Stepper &stepper)
{
    for (const auto &parameter : stepper.liveParameters()) {
        if (parameter.name == "relaxation")
            return parameter.value;
    }
    return 1; // Jacobi
}

json benchCase(const ToleranceCase &toleranceCase, const std::vector<Candidate> &candidates,
               const ToleranceOptions &options)
{
    json runs = json::array();
    json best = json::object();
    const auto problem = spikeProblem(toleranceCase.unknowns);
    for (const auto &candidate : candidates) {
        const auto stepper = candidate.make(problem);
        const auto run =
            runToResidual(*stepper, candidate.pass, {toleranceCase.residual, options.longestRun});
        json entry = candidate.description;
        entry["relaxation"] = relaxationOf(*stepper);
        entry["reached"] = run.reached;
        entry["iterations"] = run.iterations;
        entry["seconds"] = run.seconds;
        entry["residual"] = run.residual;
        const auto index = runs.size();
        runs.push_back(std::move(entry));
        if (!run.reached)
            continue;
        const auto soFar = best.find(candidate.family);
        if (soFar == best.end()
            || run.seconds < runs[soFar->get<std::size_t>()]["seconds"].get<double>())
            best[candidate.family] = index;
    }
    return {{"problem", "a spike in the middle of the unit square, u = 1 on all sides"},
            {"unknowns", problem.unknowns},
            {"residual", toleranceCase.residual},
            {"precision", "float"},
            {"threads", options.context.cpu().threads},
            {"longest_run_seconds", options.longestRun},
            {"runs", std::move(runs)},
            {"best", std::move(best)}};
}

} // namespace

RunToResidual runToResidual(Stepper &stepper, std::uint64_t pass, const RunLimits &limits)
{
    auto report = stepper.report();
    while (!(report.residual <= limits.residual) && report.seconds < limits.seconds) {
        const auto passes = std::max<std::uint64_t>(1, report.iterations / 100 / pass);
        stepper.advance(passes * pass);
        report = stepper.report();
    }
    return {report.residual <= limits.residual, report.iterations, report.seconds, report.residual};
}

json benchTimeToTolerance(const ToleranceOptions &options)
{
    auto candidates = jacobiCandidates(options);
    auto sor = sorCandidates(options);
    std::ranges::move(sor, std::back_inserter(candidates));
    json results = json::array();
    for (const auto &each : options.cases)
        results.push_back(benchCase(each, candidates, options));
    return results;
}

} // namespace gridhelm::bench
