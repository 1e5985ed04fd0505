// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/time_to_tolerance.h"

#include "app/bench/solver_problems.h"
#include "core/solvers/jacobi/async_options.h"
#include "core/solvers/poisson/methods.h"
#include "core/solvers/poisson/poisson_stepper.h"
#include "core/solvers/sor/sor_options.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::bench {

using nlohmann::json;
using namespace solvers;

namespace {

/// A method with its choices.
struct Candidate
{
    std::string family; ///< the best of a family is named
    json description;
    PoissonSettings settings;
    std::uint64_t pass; ///< iterations that it does at once
};

Candidate asyncCandidate(const char *method, int alpha, const std::vector<std::size_t> &tile)
{
    PoissonSettings settings{method, Precision::float32, {{"alpha", alpha}}};
    if (tile[0] > 0) // 0: its own choice
        settings.options.set(jacobi::tileOption, tile);
    return {"async",
            {{"method", method}, {"alpha", alpha}, {"tile", tile}},
            std::move(settings),
            static_cast<std::uint64_t>(alpha) + 1};
}

Candidate mlssorCandidate(const MlssorShape &shape)
{
    PoissonSettings settings{"mlssor", Precision::float32};
    settings.options.set(shapeOption, valueOf(shape));
    return {"mlssor",
            {{"method", "mlssor"}, {"layers", shape.layers}, {"width", shape.width}},
            std::move(settings),
            shape.layers};
}

Candidate sequentialCandidate(const char *direction)
{
    return {"sequential",
            {{"method", "sequential"}, {"sweeps", direction}},
            {"sequential", Precision::float32, {{"direction", direction}}},
            2};
}

/// With its standard options.
Candidate standardCandidate(const PoissonMethod &method)
{
    constexpr std::uint64_t shortest = 8;
    const std::string name(method.name);
    return {name,
            {{"method", name}},
            {name, Precision::float32},
            std::max(shortest, granuleOf(method, {}))};
}

/// Of each method the choices that are worth comparing; of most, the standard ones.
std::vector<Candidate> candidatesOf(const PoissonMethod &method, bool fewChoices)
{
    std::vector<Candidate> candidates;
    const std::string name(method.name);
    if (hasOption(method, jacobi::alphaOption)) {
        for (int alpha : {6, 20}) {
            for (const auto &tile :
                 {std::vector<std::size_t>{0, 0}, std::vector<std::size_t>{1024, 256}}) {
                if (!fewChoices || (alpha == 6 && tile[0] == 0))
                    candidates.push_back(asyncCandidate(name.c_str(), alpha, tile));
            }
        }
    } else if (&method == &mlssor) {
        for (const auto &shape : {MlssorShape{16, 32}, MlssorShape{8, 16}, MlssorShape{8, 32},
                                  MlssorShape{16, 64}, MlssorShape{32, 64}}) {
            if (!fewChoices || shape.width == 16)
                candidates.push_back(mlssorCandidate(shape));
        }
    } else if (&method == &sequentialSor) {
        for (const auto *direction : {"forward", "alternating"})
            candidates.push_back(sequentialCandidate(direction));
    } else if (&method != &naiveJacobi) { // tuned has the same iterates
        candidates.push_back(standardCandidate(method));
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
        const auto stepper = makePoissonStepper(problem, candidate.settings, options.context);
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
    std::vector<Candidate> candidates;
    for (const auto *method : poissonMethods())
        std::ranges::move(candidatesOf(*method, options.fewChoices),
                          std::back_inserter(candidates));
    json results = json::array();
    for (const auto &each : options.cases)
        results.push_back(benchCase(each, candidates, options));
    return results;
}

} // namespace gridhelm::bench
