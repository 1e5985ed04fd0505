// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/team_solvers.h"

#include "core/solvers/poisson/poisson_method.h"

#include <utility>

namespace gridhelm::dispatch {
namespace {

using namespace solvers;

class TeamSolvers final : public SolverBackend
{
public:
    TeamSolvers(const SolverBackend &first, std::string name, TeamOf team)
        : m_first(first)
        , m_name(std::move(name))
        , m_team(std::move(team))
    {
    }

    std::string_view name() const override { return m_name; }
    bool usesThreads() const override { return m_first.usesThreads(); }

    std::unique_ptr<Stepper> makePoisson(PoissonProblem problem, const PoissonSettings &settings,
                                         const ExecutionContext &context) const override
    {
        const bool isDivisible = poissonMethod(settings.method).isDivisible;
        return m_first.makePoisson(
            std::move(problem), settings,
            context.withTeam(isDivisible ? m_team(context) : std::vector<Device>()));
    }

    std::unique_ptr<Stepper> makePmm(const PmmProblem &problem, Precision precision,
                                     const PmmSettings &settings,
                                     const ExecutionContext &context) const override
    {
        return m_first.makePmm(problem, precision, settings, context.withTeam(m_team(context)));
    }

private:
    const SolverBackend &m_first;
    std::string m_name;
    TeamOf m_team;
};

} // namespace

std::unique_ptr<SolverBackend> makeTeamSolvers(const SolverBackend &first, std::string name,
                                               TeamOf team)
{
    return std::make_unique<TeamSolvers>(first, std::move(name), std::move(team));
}

} // namespace gridhelm::dispatch
