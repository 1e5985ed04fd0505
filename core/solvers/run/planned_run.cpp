// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/run/planned_run.h"

#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace gridhelm::solvers {
namespace {

/// When to compute the figures next: about fifty times in each factor of e.
std::uint64_t nextLook(const RunPlan &plan, std::uint64_t done)
{
    if (plan.every > 0)
        return done + plan.every;
    const auto step = std::max<std::uint64_t>(1, done / 50);
    return done + (step + plan.granule - 1) / plan.granule * plan.granule;
}

void requireFinite(const StepReport &report, const RunPlan &plan)
{
    if (std::isinf(report.residual) || (std::isnan(report.residual) && std::isinf(report.error)))
        throw Error(fmt::format("the values have grown beyond all numbers after {} iterations: {}",
                                report.iterations, plan.ifItDiverges));
}

} // namespace

PlannedRun::PlannedRun(Stepper &stepper, RunPlan plan)
    : m_stepper(stepper)
    , m_plan(std::move(plan))
    , m_last(m_plan.most)
    , m_nextLook(nextLook(m_plan, 0))
{
    record();
    applyChanges();
    decide({});
}

StepReport PlannedRun::look() const
{
    auto report = m_stepper.report();
    if (!m_knowsError)
        report.error = StepReport::none;
    return report;
}

void PlannedRun::record()
{
    m_history.push_back(look());
}

void PlannedRun::restartApproach()
{
    m_best = std::numeric_limits<double>::infinity();
    m_bestIteration = m_history.back().iterations;
    m_roundOff.reset();
}

/// Whether the target comes no closer.
bool PlannedRun::hasStalled(double value)
{
    constexpr double worthMentioning = 0.999;
    const auto iterations = m_history.back().iterations;
    if (value < worthMentioning * m_best) {
        m_best = value;
        m_bestIteration = iterations;
    }
    return iterations > 2 * m_bestIteration + m_plan.patience;
}

/// Whether the changes are what rounding makes. Not asked while they fall fast, as that takes time:
/// then the target is near, or the next record tells.
bool PlannedRun::isRoundOff(double value)
{
    constexpr double fast = 0.1;
    if (m_plan.target->quantity != Quantity::change || !(value >= fast * m_best)
        || !std::isfinite(value))
        return false;
    if (!m_roundOff)
        m_roundOff = m_stepper.roundOff();
    return value <= *m_roundOff;
}

bool PlannedRun::applyChanges()
{
    const auto before = m_changesDone;
    for (; m_changesDone < m_plan.changes.size(); ++m_changesDone) {
        const auto &change = m_plan.changes[m_changesDone];
        if (change.iteration > m_asked)
            break;
        m_stepper.setLiveParameter(change.parameter, change.value);
    }
    if (m_changesDone == before)
        return false;
    record();
    restartApproach();
    return true;
}

/// By the latest record.
void PlannedRun::decide(const std::stop_token &stop)
{
    const bool allChanged = m_changesDone == m_plan.changes.size();
    if (m_plan.target && allChanged && m_asked > 0) {
        const double value = valueOf(m_plan.target->quantity, m_history.back());
        if (value <= m_plan.target->value)
            m_end = StopReason::target;
        else if (isRoundOff(value))
            m_end = StopReason::roundOff;
        else if (hasStalled(value))
            m_end = StopReason::stalled;
    }
    const bool isCutShort = stop.stop_requested() && m_history.back().iterations < m_asked;
    if (!m_end && m_asked >= m_last && !isCutShort)
        m_end = StopReason::iterations;
    if (!m_end && stop.stop_requested())
        m_end = StopReason::interrupted;
}

void PlannedRun::advance(std::uint64_t most, std::stop_token stop)
{
    auto next = std::min(m_nextLook, m_last);
    if (m_changesDone < m_plan.changes.size())
        next = std::min(next, m_plan.changes[m_changesDone].iteration);
    next = std::min(next, m_asked + std::max<std::uint64_t>(most, 1));
    m_stepper.advance(next - m_asked, stop);
    m_asked = next;

    const bool isLook = m_asked >= m_nextLook;
    const bool isChange =
        m_changesDone < m_plan.changes.size() && m_plan.changes[m_changesDone].iteration <= m_asked;
    if (!isLook && !isChange && m_asked < m_last && !stop.stop_requested())
        return;
    record();
    requireFinite(m_history.back(), m_plan);
    if (isLook)
        m_nextLook = nextLook(m_plan, m_asked);
    applyChanges();
    decide(stop);
}

void PlannedRun::setLiveParameter(std::string_view name, double value)
{
    m_stepper.setLiveParameter(name, value);
    const auto parameters = m_stepper.liveParameters();
    const auto changed = std::ranges::find(parameters, name, &LiveParameter::name);
    if (changed->changesSolution && !m_plan.knownSurvivesChanges)
        m_knowsError = false;
    if (m_plan.target) // as many again for the new problem
        m_last = m_asked + m_plan.most;
    record();
    restartApproach();
    if (m_end && isOfTarget(*m_end))
        m_end.reset();
}

std::string_view nameOf(StopReason reason)
{
    constexpr std::array<std::string_view, 5> names{"iterations", "target", "stalled", "round-off",
                                                    "interrupted"};
    return names[static_cast<std::size_t>(reason)];
}

std::string describe(StopReason reason, const StepReport &last, const RunPlan &plan)
{
    const std::string after = fmt::format("after {} {}", last.iterations, plan.unit);
    const auto wanted = [&] {
        return fmt::format("{} {:.3g}", nameOf(plan.target->quantity), plan.target->value);
    };
    switch (reason) {
    case StopReason::target:
        return fmt::format("{}, {} reached", after, wanted());
    case StopReason::stalled:
        return fmt::format("{}, because {} is out of reach: it comes no closer (round-off?)", after,
                           wanted());
    case StopReason::roundOff:
        return plan.targetIsAsked
                   ? fmt::format("{}, because {} is out of reach: what still changes is round-off",
                                 after, wanted())
                   : after + ", what still changes is round-off";
    case StopReason::interrupted:
        return after + ", interrupted";
    case StopReason::iterations:
        break;
    }
    return plan.target ? fmt::format("{}, {} not reached", after, wanted()) : after;
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

} // namespace gridhelm::solvers
