// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/run/solver_case.h"

#include "core/solvers/poisson_parameters.h"
#include "core/solvers/setup/jacobi_setup.h"
#include "core/solvers/setup/pmm_setup.h"
#include "core/solvers/setup/poisson_setup.h"
#include "core/solvers/setup/sor_setup.h"
#include "core/solvers/sor/relaxation.h"
#include "core/solvers/sor/sor_stepper.h"

#include <utility>

namespace gridhelm::solvers {
namespace {

/// What Jacobi and SOR have in common.
SolverCase poissonCase(PoissonProblem &problem, RunAbilities &abilities, const RunSetup &run,
                       bool knownIsChosen)
{
    abilities.method = "the method " + abilities.method;
    if (problem.knownSolution)
        abilities.quantities.push_back(Quantity::error);
    abilities.knownSurvivesChanges = knownIsChosen;
    SolverCase result;
    result.plan = runPlan(run, abilities);
    result.plan.patience = patienceFor(problem);
    result.quantities = abilities.quantities;
    result.unknowns = problem.count();
    if (changesSolution(result.plan) && !knownIsChosen)
        problem.knownSolution = nullptr;
    return result;
}

void setBackend(SolverCase &solver, const SolverBackend &backend, const CpuDevice &cpu)
{
    solver.backend = backend.name();
    solver.threads = backend.usesThreads() ? cpu.threads : 0;
}

} // namespace

SolverCase jacobiCase(PoissonProblem problem, const JacobiOptions &options, const RunSetup &run,
                      bool knownIsChosen, const ExecutionContext &context,
                      const SolverBackend &backend)
{
    RunAbilities abilities;
    abilities.method = nameOf(options.method);
    abilities.quantities = {Quantity::residual};
    if (!isAsynchronous(options.method))
        abilities.quantities.push_back(Quantity::change);
    abilities.parameters = poissonParameters(problem);
    auto result = poissonCase(problem, abilities, run, knownIsChosen);
    result.plan.granule = granuleOf(options);
    if (isAsynchronous(options.method))
        result.smallestStep = result.plan.granule;
    const auto &chosen = backend.forJacobi(problem, options, context);
    setBackend(result, chosen, isSerial(options.method) ? CpuDevice{} : context.cpu());
    const auto shared = std::make_shared<PoissonProblem>(std::move(problem));
    result.makeStepper = [shared, options, context, &chosen] {
        return chosen.makeJacobi(std::move(*shared), options, context);
    };
    return result;
}

SolverCase sorCase(PoissonProblem problem, const SorSettings &settings, const RunSetup &run,
                   bool knownIsChosen, const ExecutionContext &context,
                   const SolverBackend &backend)
{
    RunAbilities abilities;
    abilities.method = nameOf(settings.method);
    abilities.quantities = {Quantity::residual};
    abilities.parameters = poissonParameters(problem);
    const double relaxation = settings.relaxation.value_or(defaultRelaxation(problem, settings));
    abilities.parameters.insert(abilities.parameters.begin(), {"relaxation", "", relaxation, 0, 2});
    auto result = poissonCase(problem, abilities, run, knownIsChosen);
    for (const auto &change : result.plan.changes) {
        if (change.parameter == "relaxation")
            requireRelaxation(change.value); // 0 and 2 themselves are refused
    }
    result.plan.granule = granuleOf(settings);
    if (settings.method == SorMethod::mlssor)
        result.smallestStep = settings.shape.layers;
    const auto &chosen = backend.forSor(problem, settings, context);
    setBackend(result, chosen, isSerial(settings.method) ? CpuDevice{} : context.cpu());
    const auto shared = std::make_shared<PoissonProblem>(std::move(problem));
    result.makeStepper = [shared, settings, context, &chosen] {
        auto stepper = chosen.makeSor(*shared, settings, context);
        *shared = {}; // the stepper has what it needs
        return stepper;
    };
    return result;
}

SolverCase pmmCase(PmmProblem problem, Precision precision, const RunSetup &run,
                   const ExecutionContext &context, const SolverBackend &backend)
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
    const PmmSettings settings;
    const auto &chosen = backend.forPmm(problem, settings, context);
    setBackend(result, chosen, context.cpu());
    result.fieldName = "arrival time";
    result.shown = Quantity::change;
    const auto shared = std::make_shared<PmmProblem>(std::move(problem));
    result.makeStepper = [shared, precision, settings, context, &chosen] {
        const PmmProblem taken = std::move(*shared); // the stepper makes its own copy
        return chosen.makePmm(taken, precision, settings, context);
    };
    return result;
}

} // namespace gridhelm::solvers
