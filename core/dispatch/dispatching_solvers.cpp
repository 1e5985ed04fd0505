// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/dispatching_solvers.h"

#include "core/dispatch/failover_stepper.h"
#include "core/solvers/poisson/poisson_method.h"
#include "core/support/error.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::dispatch {
namespace {

using namespace solvers;

/// The team of one back end is not for another, which takes over alone.
ExecutionContext contextOf(const ExecutionContext &context, bool isOther)
{
    if (!isOther)
        return context;
    context.reportShares({});
    return context.withTeam({});
}

/// A back end with the CPU behind it.
class FailoverSolvers final : public SolverBackend
{
public:
    explicit FailoverSolvers(const SolverBackend &first)
        : m_first(first)
    {
    }

    std::string_view name() const override { return m_first.name(); }
    bool usesThreads() const override { return m_first.usesThreads(); }

    std::unique_ptr<Stepper> makePoisson(PoissonProblem problem, const PoissonSettings &settings,
                                         const ExecutionContext &context) const override
    {
        if (context.fallback() == FallbackPolicy::forbidden) // the problem need not be kept
            return m_first.makePoisson(std::move(problem), settings, context);
        return make(context, [&first = m_first, settings, context,
                              problem = std::move(problem)](const SolverBackend &backend) {
            return backend.makePoisson(problem, settings, contextOf(context, &backend != &first));
        });
    }

    std::unique_ptr<Stepper> makePmm(const PmmProblem &problem, Precision precision,
                                     const PmmSettings &settings,
                                     const ExecutionContext &context) const override
    {
        if (context.fallback() == FallbackPolicy::forbidden)
            return m_first.makePmm(problem, precision, settings, context);
        return make(context, [=, &first = m_first](const SolverBackend &backend) {
            return backend.makePmm(problem, precision, settings,
                                   contextOf(context, &backend != &first));
        });
    }

private:
    using Maker = std::function<std::unique_ptr<Stepper>(const SolverBackend &)>;

    std::unique_ptr<Stepper> make(const ExecutionContext &context, Maker maker) const
    {
        const auto &cpu = ompSolvers();
        const auto kept = std::make_shared<const Maker>(std::move(maker)); // with a large problem
        return makeFailoverStepper(
            context, m_first.name(), cpu.name(), [&] { return (*kept)(m_first); },
            [kept, &cpu] { return (*kept)(cpu); });
    }

    const SolverBackend &m_first;
};

class DispatchingSolvers final : public SolverBackend
{
public:
    explicit DispatchingSolvers(std::shared_ptr<Dispatcher> dispatcher)
        : m_dispatcher(std::move(dispatcher))
    {
    }

    std::string_view name() const override { return "auto"; }

    const SolverBackend &forPoisson(const PoissonProblem &problem, const PoissonSettings &settings,
                                    const ExecutionContext &context) const override
    {
        const auto &method = poissonMethod(settings.method);
        if (!context.team().empty()) // whoever named it has chosen
            return ofTeam(context.team());
        const auto operation = operationNamed(method.family->id);
        if (method.isSerial || !operation) // nobody has measured that
            return ompSolvers();
        return fastest(*operation, problem.count(), context);
    }

    const SolverBackend &forPmm(const PmmProblem &problem, const PmmSettings &,
                                const ExecutionContext &context) const override
    {
        if (!context.team().empty()) // whoever named it has chosen
            return ofTeam(context.team());
        return fastest(Operation::pmm, problem.count(), context);
    }

    std::unique_ptr<Stepper> makePoisson(PoissonProblem problem, const PoissonSettings &settings,
                                         const ExecutionContext &context) const override
    {
        const auto &backend = forPoisson(problem, settings, context);
        return backend.makePoisson(std::move(problem), settings, context);
    }

    std::unique_ptr<Stepper> makePmm(const PmmProblem &problem, Precision precision,
                                     const PmmSettings &settings,
                                     const ExecutionContext &context) const override
    {
        return forPmm(problem, settings, context).makePmm(problem, precision, settings, context);
    }

private:
    const SolverBackend &fastest(Operation operation, std::size_t size,
                                 const ExecutionContext &context) const
    {
        const auto index = m_dispatcher->fastest(operation, static_cast<double>(size), context);
        return candidate(index);
    }

    const SolverBackend &ofTeam(const std::vector<Device> &team) const
    {
        const auto &candidates = m_dispatcher->candidates();
        const auto gpu = std::ranges::find_if(
            team, [](const Device &device) { return std::holds_alternative<GpuDevice>(device); });
        const bool isCpu = gpu == team.end();
        const auto found =
            isCpu ? candidates.begin() : std::ranges::find(candidates, "cuda", &Candidate::name);
        if (found == candidates.end())
            throw Error("there is no back end for " + nameOf(*gpu)
                        + " in this program; choose --devices cpu, or cpu/N");
        return candidate(static_cast<std::size_t>(found - candidates.begin()));
    }

    const SolverBackend &candidate(std::size_t index) const
    {
        if (index == 0)
            return ompSolvers();
        const auto &candidates = m_dispatcher->candidates();
        const std::lock_guard lock(m_mutex);
        m_failovers.resize(candidates.size());
        auto &failover = m_failovers[index];
        if (!failover)
            failover = std::make_unique<FailoverSolvers>(*candidates[index].solvers);
        return *failover;
    }

    std::shared_ptr<Dispatcher> m_dispatcher;
    mutable std::mutex m_mutex; ///< of what follows
    mutable std::vector<std::unique_ptr<FailoverSolvers>>
        m_failovers; ///< by candidate; not the first
};

} // namespace

std::unique_ptr<SolverBackend> makeDispatchingSolvers(std::shared_ptr<Dispatcher> dispatcher)
{
    return std::make_unique<DispatchingSolvers>(std::move(dispatcher));
}

std::unique_ptr<SolverBackend> makeFailoverSolvers(const SolverBackend &first)
{
    return std::make_unique<FailoverSolvers>(first);
}

} // namespace gridhelm::dispatch
