// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/trial_run.h"

#include "core/sparse/sparse_grid.h"
#include "data/campaign/runner_registry.h"
#include "data/campaign/trust_store.h"
#include "data/study/run_space.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

namespace gridhelm::data {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds betweenLooks(50);

/// Those of the grid's times that the run in the middle of all other ranges delivers.
std::vector<double> timesOf(const ParameterSpace &space, std::size_t time, int level)
{
    const ParameterSpace alone({space[time]});
    const sparse::SparseGrid grid(alone.shape(level));
    std::vector<double> times;
    for (std::uint64_t point = 0; point < grid.points(); ++point)
        times.push_back(alone.valuesAt(grid, point).front());
    std::ranges::sort(times);
    return times;
}

/// Refuses what the user has not agreed to.
RunnerOptions optionsOf(const Plan &plan, const TrialControl &control)
{
    const auto study = control.folder / "trial"; // there is none, but names begin there
    RunnerOptions options{control.folder / "trial.jobs", true, control.files.read,
                          control.patience};
    const auto *command = std::get_if<CommandPlan>(&plan.simulation);
    if (!command)
        throw Error("The plan has no command that could be tested; write one");
    auto execution =
        std::make_shared<const Execution>(executionOf(*command, plan.run, study, control.stop));
    const auto digest = execution->digest();
    if (!control.isOwn && digest != control.trusted && !TrustStore().isTrusted(digest))
        throw UntrustedExecution(std::move(execution));
    options.execution = std::move(execution);
    return options;
}

/// What is said of the fields, as their snapshots come.
class FieldsSeen
{
public:
    explicit FieldsSeen(MeshFitter fit)
        : m_fit(std::move(fit))
    {
    }

    void add(RunSnapshot raw, TrialReport &report)
    {
        const auto snapshot = m_fit(m_mesh ? &*m_mesh : nullptr, std::move(raw));
        if (!m_mesh)
            m_mesh = snapshot.mesh;
        ++report.snapshots;
        for (std::size_t f = 0; f < snapshot.fields.size(); ++f) {
            const auto &field = snapshot.fields[f];
            auto seen = std::ranges::find(report.fields, field.name,
                                          [](const TrialField &of) { return of.field.name; });
            if (seen == report.fields.end())
                seen = report.fields.insert(seen, {field, 0, infinity, -infinity});
            for (const float number : snapshot.values[f]) {
                const double value = field.valueOf(number);
                if (!std::isfinite(value)) {
                    ++seen->notFinite;
                    continue;
                }
                seen->low = std::min(seen->low, value);
                seen->high = std::max(seen->high, value);
            }
        }
    }

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();

    MeshFitter m_fit;
    std::optional<Mesh> m_mesh; ///< of the first one
};

/// The reason of a failure, which ends a run's log as "gridhelm: ...", perhaps with a line about
/// the folder behind it.
std::string problemIn(const std::string &log)
{
    constexpr std::string_view mark = "gridhelm: ";
    const auto at = log.rfind(mark);
    if (at == std::string::npos)
        return "the run failed, and did not say why";
    const auto begin = at + mark.size();
    return log.substr(begin, log.find('\n', begin) - begin);
}

} // namespace

RunRequest trialRequest(const Plan &plan)
{
    const auto space = runSpaceOf(plan.description.space);
    RunRequest request;
    request.name = "trial";
    request.parameters = space.fromUnit(std::vector<double>(space.parameters().size(), 0.5));
    if (const auto time = space.timeLike())
        request.times = timesOf(space, *time, plan.description.level);
    return request;
}

TrialReport runTrial(const Plan &plan, const TrialControl &control)
{
    TrialReport report;
    const auto space = runSpaceOf(plan.description.space);
    const auto request = trialRequest(plan);
    report.parameters = space.parameters();
    report.values = request.parameters;
    report.times = request.times;
    const auto runner = makeJobRunner(plan, optionsOf(plan, control));
    if (!runner->isLocal())
        throw Error("The plan's jobs run elsewhere ([run]), and a test runs on this machine; take "
                    "[run] out of the plan to test it");
    FieldsSeen seen(control.files.fitter(plan.mesh, "(kind = \"resampled\" in the plan's [mesh])"));
    const auto begin = Clock::now();
    const auto ids = runner->submit(std::span(&request, 1), 1);
    auto status = runner->poll(ids).front();
    for (bool isCancelled = false; !hasEnded(status.state); status = runner->poll(ids).front()) {
        runner->waitForNews(betweenLooks);
        if (control.stop.stop_requested() && !std::exchange(isCancelled, true))
            runner->cancel(ids);
    }
    report.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (status.state == RunState::finished) {
        status = runner->collect(
            ids.front(),
            [&](std::size_t, RunSnapshot snapshot) { seen.add(std::move(snapshot), report); },
            control.stop);
    }
    runner->release(ids.front());
    report.state = status.state;
    report.log = status.log;
    if (status.state == RunState::failed)
        report.problem = problemIn(report.log);
    return report;
}

} // namespace gridhelm::data
