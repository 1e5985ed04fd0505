// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_run.h"

#include "app/cli/parse_numbers.h"
#include "app/cli/progress_line.h"
#include "core/solvers/poisson_parameters.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace gridhelm::cli {
namespace {

using solvers::StepReport;

constexpr std::array<std::pair<Quantity, std::string_view>, 3> quantityNames{{
    {Quantity::residual, "residual"},
    {Quantity::change, "change"},
    {Quantity::error, "error"},
}};

/// Iterations that nobody will see the end of; sums of a few of them do not overflow.
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max() / 8;

double perSecond(double amount, double seconds)
{
    return seconds > 0 ? amount / seconds : 0;
}

// ---- the plan --------------------------------------------------------------------------------

RunPlan::Target parseTarget(const std::string &text, const RunAbilities &abilities)
{
    const auto equals = text.find('=');
    std::string possible;
    for (const auto quantity : abilities.quantities) {
        possible += (possible.empty() ? "" : " or ") + std::string(nameOf(quantity)) + "=NUMBER";
        if (equals == std::string::npos || nameOf(quantity) != text.substr(0, equals))
            continue;
        const double value = parseReal(text.substr(equals + 1), "--until");
        if (value < 0)
            throw Error(fmt::format("--until: the {} is never below 0: choose a larger number",
                                    nameOf(quantity)));
        return {quantity, value};
    }
    if (equals == std::string::npos)
        throw Error(fmt::format("--until: \"{}\" is no target: choose {}", text, possible));
    throw Error(fmt::format(
        "--until: {} reports no \"{}\"{}: choose {}", abilities.method, text.substr(0, equals),
        text.starts_with("error=") ? ", as no solution is known" : "", possible));
}

/// Blanks, '-' and '_' are the same, so that no quotes are needed on the command line.
std::string plainName(std::string_view name)
{
    std::string plain(trimmed(name));
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
    return plain;
}

ScheduledChange parseChange(const std::string &text, const RunAbilities &abilities)
{
    const auto colon = text.find(':');
    const auto equals = text.find('=');
    if (colon == std::string::npos || equals == std::string::npos || equals < colon)
        throw Error(fmt::format(
            "--at: \"{}\" is no change: write ITERATION:NAME=VALUE, e.g. "
            "500:{}=1.5",
            text, abilities.parameters.empty() ? "relaxation" : abilities.parameters.front().name));
    ScheduledChange change{parseIndex(text.substr(0, colon), "--at"),
                           plainName(text.substr(colon + 1, equals - colon - 1)),
                           parseReal(text.substr(equals + 1), "--at")};
    for (const auto &parameter : abilities.parameters) {
        if (plainName(parameter.name) != change.parameter)
            continue;
        change.parameter = parameter.name;
        if (abilities.rangesAreFixed)
            solvers::requireLiveParameter(abilities.parameters, parameter.name, change.value);
        return change;
    }
    std::string possible;
    for (const auto &parameter : abilities.parameters)
        possible += (possible.empty() ? "" : ", ") + parameter.name;
    throw Error(fmt::format("--at: {} cannot change \"{}\" while it runs: choose one of {}",
                            abilities.method, change.parameter,
                            possible.empty() ? "nothing" : possible));
}

// ---- the run ---------------------------------------------------------------------------------

/// Figures and rates of the run, on the terminal.
class Progress
{
public:
    explicit Progress(const RunPlan &plan)
        : m_plan(plan)
    {
    }

    bool isShown() const { return m_line.isOnTerminal(); }

    /// How many iterations take about as long as a line should stay.
    std::uint64_t iterationsPerLine(const StepReport &latest) const
    {
        const double rate = perSecond(static_cast<double>(latest.iterations), latest.seconds);
        return static_cast<std::uint64_t>(
            std::clamp(rate * ProgressLine::secondsPerLine, 1.0, 1e15));
    }

    void show(const StepReport &report)
    {
        if (!m_line.isDue())
            return;
        std::string line = fmt::format("{} {}", report.iterations, m_plan.unit);
        for (const auto &[quantity, name] : quantityNames) {
            if (!std::isnan(valueOf(quantity, report)))
                line += fmt::format("  {} {:.3g}", name, valueOf(quantity, report));
        }
        const double seconds = report.seconds - m_before.seconds;
        line += fmt::format(
            "  {:.4g}/s  {:.1f} GFlop/s  {:.1f} GB/s",
            perSecond(static_cast<double>(report.iterations - m_before.iterations), seconds),
            perSecond(report.flops - m_before.flops, seconds) * 1e-9,
            perSecond(report.bytes - m_before.bytes, seconds) * 1e-9);
        m_line.show(line);
        m_before = report;
    }

private:
    const RunPlan &m_plan;
    ProgressLine m_line;
    StepReport m_before;
};

/// Whether the target still comes closer.
class Approach
{
public:
    void begin(const StepReport &report)
    {
        m_best = std::numeric_limits<double>::infinity();
        m_iteration = report.iterations;
    }

    bool hasStalled(double value, const StepReport &report, std::uint64_t patience)
    {
        constexpr double worthMentioning = 0.999;
        if (value < worthMentioning * m_best) {
            m_best = value;
            m_iteration = report.iterations;
        }
        return report.iterations > 2 * m_iteration + patience;
    }

private:
    double m_best = std::numeric_limits<double>::infinity();
    std::uint64_t m_iteration = 0;
};

/// When to compute the figures next: about fifty times in each factor of e.
std::uint64_t nextLook(const RunPlan &plan, std::uint64_t done)
{
    if (plan.every > 0)
        return done + plan.every;
    const auto step = std::max<std::uint64_t>(1, done / 50);
    return done + (step + plan.granule - 1) / plan.granule * plan.granule;
}

void requireFinite(const StepReport &report)
{
    if (std::isinf(report.residual) || (std::isnan(report.residual) && std::isinf(report.error)))
        throw Error(fmt::format("the values have grown beyond all numbers after {} iterations: "
                                "choose smaller boundary values and sources, or double precision",
                                report.iterations));
}

nlohmann::json jsonOf(const StepReport &report)
{
    return {{"iterations", report.iterations},
            {"seconds", report.seconds},
            {"residual", report.residual},
            {"largest_change", report.largestChange},
            {"error", report.error}};
}

} // namespace

std::string_view nameOf(Quantity quantity)
{
    return quantityNames[static_cast<std::size_t>(quantity)].second;
}

double valueOf(Quantity quantity, const StepReport &report)
{
    switch (quantity) {
    case Quantity::residual:
        return report.residual;
    case Quantity::change:
        return report.largestChange;
    case Quantity::error:
        break;
    }
    return report.error;
}

void addRunOptions(CLI::App &command, RunOptions &options, const std::string &unit)
{
    command.add_option("--" + unit, options.iterations, "Stop after so many " + unit)
        ->type_name("N");
    const bool hasResidual = unit == "iterations";
    command
        .add_option("--until", options.until,
                    std::string("Stop when this figure is so small: ")
                        + (hasResidual ? "residual (relative to the start), " : "")
                        + "change (the largest of a value) or error (if a solution is known), e.g. "
                        + (hasResidual ? "residual=1e-6" : "change=1e-6")
                        + "; exit code 3 if it never is")
        ->type_name("FIGURE=NUMBER");
    command
        .add_option("--at", options.changes,
                    "Change a parameter after so many " + unit
                        + " and go on from there; may be given again")
        ->type_name("N:NAME=VALUE")
        ->allow_extra_args(false);
    command
        .add_option("--every", options.every,
                    "Look at the figures every so many " + unit + " (default: ever more rarely)")
        ->type_name("N");
    command.add_flag("--pin", options.pin, "Pin each thread to a CPU of its own");
}

RunPlan runPlan(const RunOptions &options, const RunAbilities &abilities)
{
    const std::string name = "--" + abilities.unit;
    RunPlan plan;
    plan.unit = abilities.unit;
    plan.target = abilities.target;
    if (options.until)
        plan.target = parseTarget(*options.until, abilities);
    plan.most = abilities.most;
    if (options.iterations)
        plan.most = std::min(parseIndex(*options.iterations, name), endless);
    else if (options.until)
        plan.most = endless;
    if (options.every) {
        plan.every = std::min(parseIndex(*options.every, "--every"), endless);
        if (plan.every == 0)
            throw Error("--every: 0 is too few: choose at least 1");
    }
    for (const auto &text : options.changes) {
        plan.changes.push_back(parseChange(text, abilities));
        if (plan.changes.back().iteration >= plan.most)
            throw Error(fmt::format("--at: {} never happens, because the run ends after {} {}: "
                                    "choose an earlier change or more {}",
                                    text, plan.most, plan.unit, plan.unit));
    }
    std::stable_sort(plan.changes.begin(), plan.changes.end(),
                     [](const auto &a, const auto &b) { return a.iteration < b.iteration; });
    if (plan.target && plan.target->quantity == Quantity::error && changesSolution(plan)
        && !abilities.knownSurvivesChanges)
        throw Error("--until: the error is not known after --at has changed the problem: choose "
                    "another figure");
    return plan;
}

bool changesSolution(const RunPlan &plan)
{
    return std::any_of(plan.changes.begin(), plan.changes.end(),
                       [](const auto &change) { return change.parameter != "relaxation"; });
}

std::string_view nameOf(StopReason reason)
{
    constexpr std::array<std::string_view, 4> names{"iterations", "target", "stalled",
                                                    "interrupted"};
    return names[static_cast<std::size_t>(reason)];
}

RunResult runSolver(solvers::Stepper &stepper, const RunPlan &plan, std::stop_token stop,
                    PinnedThreads *pinned)
{
    RunResult result;
    Progress progress(plan);
    Approach approach;
    StepReport latest = stepper.report();
    result.history.push_back(latest);
    auto change = plan.changes.begin();
    // Asked for, which may be more than done: some methods do whole sweeps only.
    std::uint64_t asked = 0;
    std::uint64_t look = nextLook(plan, 0);

    for (;;) {
        if (change != plan.changes.end() && change->iteration <= asked) {
            for (; change != plan.changes.end() && change->iteration <= asked; ++change)
                stepper.setLiveParameter(change->parameter, change->value);
            latest = stepper.report();
            result.history.push_back(latest);
            approach.begin(latest);
        }
        const bool allChanged = change == plan.changes.end();
        if (plan.target && allChanged && asked > 0) {
            const double value = valueOf(plan.target->quantity, latest);
            result.reason = StopReason::target;
            if (value <= plan.target->value)
                break;
            result.reason = StopReason::stalled;
            if (approach.hasStalled(value, latest, plan.patience))
                break;
        }
        result.reason = StopReason::iterations;
        if (asked >= plan.most)
            break;
        result.reason = StopReason::interrupted;
        if (stop.stop_requested())
            break;

        auto next = std::min(look, plan.most);
        if (!allChanged)
            next = std::min(next, change->iteration);
        while (asked < next && !stop.stop_requested()) {
            auto part = next - asked;
            if (progress.isShown()) {
                const auto line = progress.iterationsPerLine(latest);
                part = std::min(part, (line + plan.granule - 1) / plan.granule * plan.granule);
            }
            if (pinned)
                pinned->pinAgain();
            stepper.advance(part, stop);
            asked += part;
            if (asked < next && progress.isShown()) {
                latest = stepper.report();
                progress.show(latest);
            }
        }
        latest = stepper.report();
        requireFinite(latest);
        result.history.push_back(latest);
        progress.show(latest);
        if (asked >= look)
            look = nextLook(plan, asked);
    }
    return result;
}

int exitCodeOf(const RunResult &result, const RunPlan &plan)
{
    if (result.reason == StopReason::interrupted)
        return 130;
    return plan.target && result.reason != StopReason::target ? 3 : 0;
}

std::string describe(const RunResult &result, const RunPlan &plan)
{
    const auto &last = result.history.back();
    const std::string after = fmt::format("after {} {}", last.iterations, plan.unit);
    const auto wanted = [&] {
        return fmt::format("{} {:.3g}", nameOf(plan.target->quantity), plan.target->value);
    };
    switch (result.reason) {
    case StopReason::target:
        return fmt::format("{}, {} reached", after, wanted());
    case StopReason::stalled:
        return fmt::format("{}, because {} is out of reach: it comes no closer (round-off?)", after,
                           wanted());
    case StopReason::interrupted:
        return after + ", interrupted";
    case StopReason::iterations:
        break;
    }
    return plan.target ? fmt::format("{}, {} not reached", after, wanted()) : after;
}

nlohmann::json jsonOf(const RunResult &result, const RunPlan &plan)
{
    const auto &last = result.history.back();
    nlohmann::json document{{"stop_reason", nameOf(result.reason)}, {"report", jsonOf(last)}};
    document["report"]["flops"] = last.flops;
    document["report"]["bytes"] = last.bytes;
    document["rates"] = {
        {plan.unit + "_per_second", perSecond(static_cast<double>(last.iterations), last.seconds)},
        {"flops_per_second", perSecond(last.flops, last.seconds)},
        {"bytes_per_second", perSecond(last.bytes, last.seconds)},
    };
    auto &history = document["history"] = nlohmann::json::array();
    for (const auto &report : result.history)
        history.push_back(jsonOf(report));
    return document;
}

std::string summaryOf(const RunResult &result, const RunPlan &plan, std::size_t unknowns)
{
    const auto &last = result.history.back();
    std::string text = fmt::format("stopped    {}\n", describe(result, plan));
    if (!std::isnan(last.residual))
        text += fmt::format("residual   {:.3g} of that at the start\n", last.residual);
    if (!std::isnan(last.largestChange))
        text += fmt::format("change     {:.3g} at most in the last {}\n", last.largestChange,
                            plan.unit == "sweeps" ? "sweep" : "iteration");
    if (!std::isnan(last.error))
        text += fmt::format("error      {:.3g} at most against the known solution\n", last.error);
    const double updates = static_cast<double>(last.iterations) * static_cast<double>(unknowns);
    return text
           + fmt::format("time       {:.3g} s: {:.4g} {}/s, {:.3g} updates/s, {:.1f} GFlop/s, "
                         "{:.1f} GB/s\n",
                         last.seconds,
                         perSecond(static_cast<double>(last.iterations), last.seconds), plan.unit,
                         perSecond(updates, last.seconds),
                         perSecond(last.flops, last.seconds) * 1e-9,
                         perSecond(last.bytes, last.seconds) * 1e-9);
}

std::string csvOf(const std::vector<StepReport> &history)
{
    const auto field = [](double value) {
        return std::isnan(value) ? std::string() : fmt::format("{}", value);
    };
    std::string text = "iterations,seconds,residual,largest_change,error\n";
    for (const auto &report : history)
        text +=
            fmt::format("{},{},{},{},{}\n", report.iterations, report.seconds,
                        field(report.residual), field(report.largestChange), field(report.error));
    return text;
}

} // namespace gridhelm::cli
