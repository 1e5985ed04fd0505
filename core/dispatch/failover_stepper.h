// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/solvers/stepper.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace gridhelm::dispatch {

using MakeStepper = std::function<std::unique_ptr<solvers::Stepper>()>;

/// first() with second() behind it, which takes over where first() or its stepper fails. The
/// context allows a fallback, and is told of it. `failed` and `by`: the back ends' names, which
/// stay.
std::unique_ptr<solvers::Stepper> makeFailoverStepper(const ExecutionContext &context,
                                                      std::string_view failed, std::string_view by,
                                                      const MakeStepper &first, MakeStepper second);

/// A stepper with another one behind it: if the first one fails with a BackendError, the second one
/// does from the beginning on what the first one has done, and goes on.
class FailoverStepper final : public solvers::Stepper
{
public:
    /// `makeSecond` is called at most once, and `failed` then told what went wrong.
    FailoverStepper(std::unique_ptr<solvers::Stepper> first, MakeStepper makeSecond,
                    std::function<void(const std::string &problem)> failed);

    std::string_view method() const override { return m_stepper->method(); }
    ComputedOn computedOn() const override
    {
        auto all = m_before;
        return all |= m_stepper->computedOn();
    }
    void advance(std::uint64_t iterations, std::stop_token stop = {}) override;
    solvers::StepReport report() const override;
    double roundOff() const override { return m_stepper->roundOff(); }
    std::vector<ShareTimes> takeShareTimes() override { return m_stepper->takeShareTimes(); }
    solvers::FieldView field() const override;
    std::vector<solvers::LiveParameter> liveParameters() const override;
    void setLiveParameter(std::string_view name, double value) override;

private:
    /// Iterations, or a live parameter.
    struct Step
    {
        std::uint64_t iterations = 0;
        std::string parameter; ///< empty: none
        double value = 0;
    };

    template <typename Work>
    void attempt(Work work, const std::stop_token &stop = {}) const;
    void failOver(const std::string &problem) const;
    void catchUp(const std::stop_token &stop) const;
    void record(std::uint64_t iterations);

    // Failing is nothing that a reader should notice.
    mutable ComputedOn m_before; ///< of the first one, once it has failed
    mutable std::unique_ptr<solvers::Stepper> m_stepper;
    mutable MakeStepper m_makeSecond; ///< empty: it is there
    std::function<void(const std::string &)> m_failed;
    /// What the first one has done, or what the second one still has to do.
    mutable std::deque<Step> m_steps;
};

} // namespace gridhelm::dispatch
