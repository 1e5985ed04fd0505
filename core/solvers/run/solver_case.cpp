// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/run/solver_case.h"

#include "core/solvers/poisson/poisson_method.h"
#include "core/solvers/poisson_parameters.h"
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/poisson_setup.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gridhelm::solvers {
namespace {

void setBackend(SolverCase &solver, const SolverBackend &backend, const CpuDevice &cpu)
{
    solver.backend = backend.name();
    solver.threads = backend.usesThreads() ? cpu.threads : 0;
}

/// The context, whose shares the case gets to know.
ExecutionContext keepingShares(const ExecutionContext &context, SolverCase &of)
{
    const auto shares = std::make_shared<std::vector<DeviceShare>>();
    of.shares = shares;
    return context.withShares([shares](const auto &told) { *shares = told; });
}

} // namespace

std::vector<DeviceShare> timedShares(const SolverCase &solver, Stepper &stepper)
{
    if (!solver.shares)
        return {};
    auto shares = *solver.shares;
    const auto times = stepper.takeShareTimes();
    for (std::size_t i = 0; i < shares.size() && times.size() == shares.size(); ++i)
        shares[i].times = times[i];
    return shares;
}

std::vector<Quantity> figuresOf(const PoissonFamily &family)
{
    std::vector<Quantity> figures{Quantity::residual};
    if (std::ranges::any_of(methodsOf(family), &PoissonMethod::reportsChange))
        figures.push_back(Quantity::change);
    figures.push_back(Quantity::error);
    return figures;
}

SolverCase poissonCase(PoissonProblem problem, const PoissonSettings &settings, const RunSetup &run,
                       bool knownIsChosen, const ExecutionContext &context,
                       const SolverBackend &backend)
{
    const auto &method = poissonMethod(settings.method);
    requireOptions(method, settings.options);
    RunAbilities abilities;
    abilities.method = "the method " + settings.method;
    abilities.quantities = {Quantity::residual};
    if (method.reportsChange)
        abilities.quantities.push_back(Quantity::change);
    if (problem.knownSolution)
        abilities.quantities.push_back(Quantity::error);
    abilities.parameters = liveOptions(method, startingOptions(method, problem, settings.options));
    std::ranges::move(poissonParameters(problem), std::back_inserter(abilities.parameters));
    abilities.knownSurvivesChanges = knownIsChosen;

    SolverCase result;
    result.plan = runPlan(run, abilities);
    for (const auto &change : result.plan.changes) {
        if (const auto *option = liveOption(method, change.parameter))
            requirePossible(*option, change.value, change.parameter); // the ends are not
    }
    result.plan.patience = patienceFor(problem);
    result.plan.granule = granuleOf(method, settings.options);
    result.quantities = abilities.quantities;
    result.unknowns = problem.count();
    if (changesSolution(result.plan) && !knownIsChosen)
        problem.knownSolution = nullptr;
    if (method.smallestStep != nullptr)
        result.smallestStep = method.smallestStep(settings.options);
    const auto &chosen = backend.forPoisson(problem, settings, context);
    setBackend(result, chosen, method.isSerial ? CpuDevice{} : context.cpu());
    const auto shared = std::make_shared<PoissonProblem>(std::move(problem));
    result.makeStepper = [shared, settings, told = keepingShares(context, result), &chosen] {
        return chosen.makePoisson(std::move(*shared), settings, told);
    };
    return result;
}

SolverCase pmmCase(PmmProblem problem, Precision precision, const RunSetup &run,
                   const ExecutionContext &context, const SolverBackend &backend,
                   std::optional<PmmPartition> partition)
{
    constexpr double settled = 1e-10;
    RunAbilities abilities;
    abilities.method = "pmm";
    abilities.unit = "sweeps";
    abilities.quantities = {Quantity::change};
    if (problem.knownSolution)
        abilities.quantities.push_back(Quantity::error);
    abilities.parameters = pmmParameters(problem);
    abilities.rangesAreFixed = false;
    abilities.most = 100;
    abilities.target = RunPlan::Target{Quantity::change, settled};

    SolverCase result;
    result.plan = runPlan(run, abilities);
    if (run.iterations && !run.until) // exactly as many as wanted
        result.plan.target.reset();
    if (changesSolution(result.plan))
        problem.knownSolution = nullptr; // it is that of the medium at the start
    result.quantities = abilities.quantities;
    result.unknowns = problem.count();
    const PmmSettings settings{{}, partition};
    const auto &chosen = backend.forPmm(problem, settings, context);
    setBackend(result, chosen, context.cpu());
    result.fieldName = "arrival time";
    result.shown = Quantity::change;
    const auto shared = std::make_shared<PmmProblem>(std::move(problem));
    result.makeStepper = [shared, precision, settings, told = keepingShares(context, result),
                          &chosen] {
        const PmmProblem taken = std::move(*shared); // the stepper makes its own copy
        return chosen.makePmm(taken, precision, settings, told);
    };
    return result;
}

} // namespace gridhelm::solvers
