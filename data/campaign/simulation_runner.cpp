// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/simulation_runner.h"

#include "core/support/error.h"
#include "data/campaign/local_runner.h"
#include "data/campaign/plan_file.h"
#include "data/study/image_mesh.h"
#include "data/study/run_space.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace gridhelm::data {

namespace {

/// What all runs of a plan share.
struct SimulationOfPlan
{
    explicit SimulationOfPlan(const Plan &of)
        : space(runSpaceOf(of.description.space))
        , plan(std::get<BuiltInPlan>(of.simulation))
        , names(of.fields)
        , simulation(simulations::findSimulation(plan.name))
        , form(describeBuiltIn(plan, {}))
    {
    }

    ParameterSpace space;
    BuiltInPlan plan;
    std::vector<std::string> names;
    const simulations::Simulation &simulation;
    RunSnapshot form; ///< without values
};

class SimulationRun : public LocalRun
{
public:
    SimulationRun(const SimulationOfPlan &of, RunRequest request)
        : m_of(of)
        , m_request(std::move(request))
    {
    }

    RunResult run(const RunSink &sink, const std::stop_token &stop,
                  const std::function<void(double)> &progress, std::string &log) override
    {
        auto values = m_of.simulation.defaultValues();
        const auto set = [&](const std::string &name, double value) {
            const auto &all = m_of.simulation.parameters();
            const auto found =
                std::find_if(all.begin(), all.end(), [&](const auto &p) { return p.name == name; });
            values.at(static_cast<std::size_t>(found - all.begin())) = value;
        };
        for (const auto &[name, value] : m_of.plan.fixed)
            set(name, value);
        for (std::size_t t = 0; t < m_request.parameters.size(); ++t)
            set(m_of.space[t].name, m_request.parameters[t]);
        auto times = m_request.times;
        if (const auto time = m_of.simulation.timeLike(); time && times.empty())
            times = {values[*time]};

        std::exception_ptr ours;
        try {
            const auto end = m_of.simulation.run(
                m_of.plan.setup, values, times,
                [&](std::size_t index, simulations::Snapshot snapshot) {
                    auto delivered = m_of.form;
                    delivered.values = std::move(snapshot.fields);
                    try {
                        sink(index, keepFields(std::move(delivered), m_of.names));
                    } catch (...) {
                        ours = std::current_exception(); // no fault of the simulation
                        throw;
                    }
                },
                ExecutionContext(CpuDevice{}), // runs share the cores: each has one
                {stop, progress});
            return end == simulations::RunEnd::finished ? RunResult::finished
                                                        : RunResult::cancelled;
        } catch (const Error &error) {
            if (ours)
                throw;
            log = error.what();
            return RunResult::failed;
        }
    }

private:
    const SimulationOfPlan &m_of;
    RunRequest m_request;
};

std::unique_ptr<JobRunner> makeSimulationRunner(const Plan &plan, const RunnerOptions &)
{
    const auto of = std::make_shared<const SimulationOfPlan>(plan);
    return std::make_unique<LocalRunner>(
        [of](const RunRequest &request) { return std::make_unique<SimulationRun>(*of, request); });
}

} // namespace

RunSnapshot describeBuiltIn(const BuiltInPlan &plan, const std::vector<std::string> &fields)
{
    const auto &simulation = simulations::findSimulation(plan.name);
    const auto mesh = simulation.mesh(plan.setup.resolution);
    RunSnapshot form;
    form.mesh = encodeImageMesh(mesh);
    for (const auto &field : simulation.fields())
        form.fields.push_back(
            {field.name, field.unit, field.components, Association::point, mesh.count()});
    form.values.resize(form.fields.size());
    return keepFields(std::move(form), fields);
}

const RunnerType &simulationRunner()
{
    static const RunnerType type{
        "built-in",
        "a simulation that is part of Gridhelm, in this process",
        {},
        [](const Plan &plan) { return std::holds_alternative<BuiltInPlan>(plan.simulation); },
        makeSimulationRunner};
    return type;
}

} // namespace gridhelm::data
