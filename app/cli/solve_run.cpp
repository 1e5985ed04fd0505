// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_run.h"

#include "app/cli/progress_line.h"
#include "core/solvers/run/warm_gain.h"
#include "core/support/error.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace gridhelm::cli {
namespace {

using solvers::StepReport;

double perSecond(double amount, double seconds)
{
    return seconds > 0 ? amount / seconds : 0;
}

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
        for (const auto quantity : {Quantity::residual, Quantity::change, Quantity::error}) {
            if (!std::isnan(valueOf(quantity, report)))
                line += fmt::format("  {} {:.3g}", nameOf(quantity), valueOf(quantity, report));
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

/// What ranks must do alike though it depends on time, or on what one of them is told: as the first
/// one does it. A run of one process does what it likes.
class AgreedParts
{
public:
    AgreedParts(Ranks *ranks, bool isShown)
        : m_ranks(ranks)
        , m_isShown(ranks != nullptr ? ofFirst(*ranks, isShown) : isShown)
    {
    }

    /// Figures are looked at for a line of progress.
    bool areShown() const { return m_isShown; }
    /// Ranks look between them whether they are to stop.
    bool areShort() const { return m_isShown || m_ranks != nullptr; }
    std::uint64_t size(std::uint64_t wanted) const
    {
        return m_ranks != nullptr ? ofFirst(*m_ranks, wanted) : wanted;
    }
    bool isStop(const std::stop_token &stop) const
    {
        return m_ranks != nullptr && largestOfAll(*m_ranks, stop.stop_requested() ? 1 : 0) > 0;
    }
    /// Since the beginning.
    double seconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_begin).count();
    }

private:
    Ranks *m_ranks;
    bool m_isShown;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

/// Where the plan has it go.
bool isThere(const RunResult &result, const RunPlan &plan)
{
    return result.reason == StopReason::target
           || (result.reason == StopReason::roundOff && !plan.targetIsAsked);
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

void requirePinnable(const RunOptions &options, const ExecutionContext &context)
{
    if (options.pin && context.sharesWork())
        throw Error(
            "--pin is for the threads of one device; leave it out with several, or under mpirun, "
            "which binds its processes itself");
}

void addRunOptions(CLI::App &command, RunOptions &options, const std::string &unit)
{
    command.add_option("--" + unit, options.setup.iterations, "Stop after so many " + unit)
        ->type_name("N");
    const bool hasResidual = unit == "iterations";
    command
        .add_option_function<std::string>(
            "--until",
            [&setup = options.setup](const std::string &text) {
                setup.until = solvers::TargetSetup::split(text);
            },
            std::string("Stop when this figure is so small: ")
                + (hasResidual ? "residual (relative to the cold start), " : "")
                + "change (the largest of a value) or error (if a solution is known), e.g. "
                + (hasResidual ? "residual=1e-6" : "change=1e-6") + "; exit code 3 if it never is")
        ->type_name("FIGURE=NUMBER");
    command
        .add_option("--at", options.setup.changes,
                    "Change a parameter after so many " + unit
                        + " and go on from there; may be given again")
        ->type_name("N:NAME=VALUE")
        ->allow_extra_args(false);
    command
        .add_option("--every", options.setup.every,
                    "Look at the figures every so many " + unit + " (default: ever more rarely)")
        ->type_name("N");
    command.add_flag("--pin", options.pin, "Pin each thread to a CPU of its own");
}

RunResult runSolver(solvers::Stepper &stepper, const RunPlan &plan, std::stop_token stop,
                    PinnedThreads *pinned, Ranks *ranks)
{
    Progress progress(plan);
    const AgreedParts parts(ranks, progress.isShown());
    std::stop_source agreed;
    solvers::PlannedRun run(stepper, plan);
    StepReport latest = run.history().back();
    while (!run.end()) {
        const auto recorded = run.history().size();
        if (pinned)
            pinned->pinAgain();
        const auto line = progress.iterationsPerLine(latest);
        const auto part = (line + plan.granule - 1) / plan.granule * plan.granule;
        if (parts.isStop(stop))
            agreed.request_stop();
        run.advance(parts.areShort() ? parts.size(part) : plan.most,
                    ranks != nullptr ? agreed.get_token() : stop);
        const bool isNew = run.history().size() > recorded;
        if (isNew || parts.areShown()) {
            latest = isNew ? run.history().back() : run.look();
            progress.show(latest);
        } else if (ranks != nullptr) {
            latest.iterations = run.asked();
            latest.seconds = parts.seconds();
        }
    }
    return {*run.end(), run.history()};
}

int exitCodeOf(const RunResult &result, const RunPlan &plan)
{
    if (result.reason == StopReason::interrupted)
        return 130;
    if (result.reason == StopReason::roundOff)
        return plan.targetIsAsked ? 3 : 0;
    return plan.target && result.reason != StopReason::target ? 3 : 0;
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

nlohmann::json comparisonJson(const RunResult &cold, const RunResult &warm, const RunPlan &plan)
{
    nlohmann::json document = jsonOf(cold, plan);
    const auto &before = cold.history.back(), &after = warm.history.back();
    const bool areThere = isThere(cold, plan) && isThere(warm, plan);
    const std::string saved = plan.unit + "_saved";
    document[saved] = nullptr;
    document["seconds_saved"] = nullptr;
    if (areThere) {
        document[saved] = static_cast<std::int64_t>(before.iterations)
                          - static_cast<std::int64_t>(after.iterations);
        document["seconds_saved"] = before.seconds - after.seconds;
    }
    return document;
}

std::string comparisonText(const RunResult &cold, const RunResult &warm, const RunPlan &plan)
{
    const auto endOf = [&plan](const RunResult &result) {
        const auto &last = result.history.back();
        return solvers::TargetedEnd{isThere(result, plan), last.iterations, last.seconds};
    };
    return fmt::format("cold       stopped {}\nsaved      {}\n",
                       describe(cold.reason, cold.history.back(), plan),
                       solvers::savedInWords(endOf(cold), endOf(warm), plan.unit));
}

std::string summaryOf(const RunResult &result, const RunPlan &plan, std::size_t unknowns,
                      bool isWarm)
{
    const auto &last = result.history.back();
    std::string text =
        fmt::format("stopped    {}\n", describe(result.reason, result.history.back(), plan));
    if (!std::isnan(last.residual))
        text += fmt::format("residual   {:.3g} of that at {} start\n", last.residual,
                            isWarm ? "a cold" : "the");
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

} // namespace gridhelm::cli
