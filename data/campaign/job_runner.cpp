// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/job_runner.h"

#include "core/support/error.h"
#include "data/campaign/command_runner.h"
#include "data/study/image_mesh.h"
#include "data/study/run_space.h"

#include <algorithm>
#include <utility>

namespace gridhelm::data {

namespace {

class BuiltInRunner : public JobRunner
{
public:
    explicit BuiltInRunner(const Plan &plan)
        : m_space(runSpaceOf(plan.description.space))
        , m_plan(std::get<BuiltInPlan>(plan.simulation))
        , m_names(plan.fields)
        , m_simulation(simulations::findSimulation(m_plan.name))
        , m_form(describeBuiltIn(m_plan, {}))
    {
    }

    RunResult run(const RunRequest &request, const RunSink &sink, const std::stop_token &stop,
                  const std::function<void(double)> &progress, std::string &log) const override
    {
        auto values = m_simulation.defaultValues();
        const auto set = [&](const std::string &name, double value) {
            const auto &all = m_simulation.parameters();
            const auto found =
                std::find_if(all.begin(), all.end(), [&](const auto &p) { return p.name == name; });
            values.at(static_cast<std::size_t>(found - all.begin())) = value;
        };
        for (const auto &[name, value] : m_plan.fixed)
            set(name, value);
        for (std::size_t t = 0; t < request.parameters.size(); ++t)
            set(m_space[t].name, request.parameters[t]);
        auto times = request.times;
        if (const auto time = m_simulation.timeLike(); time && times.empty())
            times = {values[*time]};

        std::exception_ptr ours;
        try {
            const auto end =
                m_simulation.run(m_plan.setup, values, times,
                                 [&](std::size_t index, simulations::Snapshot snapshot) {
                                     auto delivered = m_form;
                                     delivered.values = std::move(snapshot.fields);
                                     try {
                                         sink(index, keepFields(std::move(delivered), m_names));
                                     } catch (...) {
                                         ours =
                                             std::current_exception(); // no fault of the simulation
                                         throw;
                                     }
                                 },
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
    ParameterSpace m_space;
    BuiltInPlan m_plan;
    std::vector<std::string> m_names;
    const simulations::Simulation &m_simulation;
    RunSnapshot m_form; ///< without values
};

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

std::unique_ptr<const JobRunner> makeJobRunner(const Plan &plan, const RunnerOptions &options)
{
    if (std::holds_alternative<BuiltInPlan>(plan.simulation))
        return std::make_unique<BuiltInRunner>(plan);
    if (std::holds_alternative<CommandPlan>(plan.simulation))
        return makeCommandRunner(plan, options);
    throw Error("The study's plan names no simulation, so that nothing can be run; bring its "
                "snapshots in with: gridhelm-cli import");
}

} // namespace gridhelm::data
