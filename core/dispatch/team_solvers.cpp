// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/team_solvers.h"

#include <utility>

namespace gridhelm::dispatch {
namespace {

using namespace solvers;

class TeamSolvers final : public SolverBackend
{
public:
    TeamSolvers(const SolverBackend &first, std::string name, std::vector<Device> team,
                const TeamWork &work)
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
        const bool isTeams = m_work.takesPoisson(settings);
        return m_first.makePoisson(std::move(problem), settings,
                                   context.withTeam(isTeams ? m_team : std::vector<Device>()));
    }

    std::unique_ptr<Stepper> makePmm(const PmmProblem &problem, Precision precision,
                                     const PmmSettings &settings,
                                     const ExecutionContext &context) const override
    {
        return m_first.makePmm(problem, precision, settings,
                               context.withTeam(m_work.takesPmm ? m_team : std::vector<Device>()));
    }

private:
    const SolverBackend &m_first;
    std::string m_name;
    std::vector<Device> m_team;
    TeamWork m_work;
};

} // namespace

std::unique_ptr<SolverBackend> makeTeamSolvers(const SolverBackend &first, std::string name,
                                               std::vector<Device> team, const TeamWork &work)
{
    return std::make_unique<TeamSolvers>(first, std::move(name), std::move(team), work);
}

} // namespace gridhelm::dispatch
