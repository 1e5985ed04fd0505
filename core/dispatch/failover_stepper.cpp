// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/failover_stepper.h"

#include "core/execution/fallback.h"
#include "core/support/error.h"

#include <utility>

namespace gridhelm::dispatch {

std::unique_ptr<solvers::Stepper> makeFailoverStepper(const ExecutionContext &context,
                                                      std::string_view failed, std::string_view by,
                                                      const MakeStepper &first, MakeStepper second)
{
    std::unique_ptr<solvers::Stepper> stepper;
    if (!withFallback(
            context, failed, by, [&] { stepper = first(); }, [&] { stepper = second(); }))
        return stepper;
    return std::make_unique<FailoverStepper>(
        std::move(stepper), std::move(second),
        [=](const std::string &problem) { reportFallback(context, failed, by, problem); });
}

FailoverStepper::FailoverStepper(std::unique_ptr<solvers::Stepper> first, MakeStepper makeSecond,
                                 std::function<void(const std::string &)> failed)
    : m_stepper(std::move(first))
    , m_makeSecond(std::move(makeSecond))
    , m_failed(std::move(failed))
{
}

/// Work that the second one repeats as a whole if the first one fails at it.
template <typename Work>
void FailoverStepper::attempt(Work work, const std::stop_token &stop) const
{
    if (m_makeSecond) {
        try {
            work();
            return;
        } catch (const BackendError &problem) {
            failOver(problem.what());
        }
    }
    catchUp(stop);
    if (m_steps.empty()) // otherwise it has been stopped
        work();
}

void FailoverStepper::failOver(const std::string &problem) const
{
    auto second = m_makeSecond();
    m_makeSecond = nullptr;
    m_before = m_stepper->computedOn();
    m_stepper = std::move(second);
    m_failed(problem);
}

void FailoverStepper::catchUp(const std::stop_token &stop) const
{
    while (!m_steps.empty() && !stop.stop_requested()) {
        auto &step = m_steps.front();
        if (step.parameter.empty()) {
            const auto before = m_stepper->report().iterations;
            m_stepper->advance(step.iterations, stop);
            const auto done = m_stepper->report().iterations - before;
            if (stop.stop_requested() && done < step.iterations) {
                step.iterations -= done;
                return;
            }
        } else {
            m_stepper->setLiveParameter(step.parameter, step.value);
        }
        m_steps.pop_front();
    }
}

void FailoverStepper::record(std::uint64_t iterations)
{
    if (iterations == 0)
        return;
    if (m_steps.empty() || !m_steps.back().parameter.empty())
        m_steps.emplace_back();
    m_steps.back().iterations += iterations;
}

void FailoverStepper::advance(std::uint64_t iterations, std::stop_token stop)
{
    attempt([&] { m_stepper->advance(iterations, stop); }, stop);
    if (!m_makeSecond)
        return;
    // A stop leaves out some of them, and asking how many takes time.
    if (!stop.stop_requested()) {
        record(iterations);
        return;
    }
    const auto done = report().iterations; // may be the second one's by now
    if (!m_makeSecond)
        return;
    std::uint64_t recorded = 0;
    for (const auto &step : m_steps)
        recorded += step.iterations;
    record(done > recorded ? done - recorded : 0);
}

solvers::StepReport FailoverStepper::report() const
{
    solvers::StepReport report;
    attempt([&] { report = m_stepper->report(); });
    return report;
}

solvers::FieldView FailoverStepper::field() const
{
    solvers::FieldView field;
    attempt([&] { field = m_stepper->field(); });
    return field;
}

std::vector<solvers::LiveParameter> FailoverStepper::liveParameters() const
{
    return m_stepper->liveParameters();
}

void FailoverStepper::setLiveParameter(std::string_view name, double value)
{
    attempt([&] { m_stepper->setLiveParameter(name, value); });
    if (m_makeSecond)
        m_steps.push_back({0, std::string(name), value});
}

} // namespace gridhelm::dispatch
