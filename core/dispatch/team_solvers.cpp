// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/team_solvers.h"

#include <utility>

namespace gridhelm::dispatch {
namespace {

using namespace solvers;

class TeamSolvers final : public SolverBackend
{
public:
    TeamSolvers(const SolverBackend &first, std::string name, TeamOf team, const TeamWork &work)
        : m_first(first)
        , m_name(std::move(name))
        , m_team(std::move(team))
        , m_work(work)
    {
    }

    std::string_view name() const override { return m_name; }
    bool usesThreads() const override { return m_first.usesThreads(); }

    std::unique_ptr<Stepper> makePoisson(PoissonProblem problem, const PoissonSettings &settings,
                                         const ExecutionContext &context) const override
    {
        return m_first.makePoisson(std::move(problem), settings,
                                   contextFor(m_work.takesPoisson(settings), context));
    }

    std::unique_ptr<Stepper> makePmm(const PmmProblem &problem, Precision precision,
                                     const PmmSettings &settings,
                                     const ExecutionContext &context) const override
    {
        return m_first.makePmm(problem, precision, settings, contextFor(m_work.takesPmm, context));
    }

private:
    ExecutionContext contextFor(bool isTeams, const ExecutionContext &context) const
    {
        return context.withTeam(isTeams ? m_team(context) : std::vector<Device>());
    }

    const SolverBackend &m_first;
    std::string m_name;
    TeamOf m_team;
    TeamWork m_work;
};

} // namespace

std::unique_ptr<SolverBackend> makeTeamSolvers(const SolverBackend &first, std::string name,
                                               TeamOf team, const TeamWork &work)
{
    return std::make_unique<TeamSolvers>(first, std::move(name), std::move(team), work);
}

} // namespace gridhelm::dispatch
