// SPDX-License-Identifier: GPL-3.0-or-later
//
// The steppers of several ranks, as if they were one.
#pragma once

#include "core/execution/crew.h"
#include "core/execution/execution_context.h"
#include "core/solvers/stepper.h"
#include "core/support/error.h"
#include "tests/core/thread_ranks.h"

#include <cmath>
#include <functional>
#include <memory>
#include <stdexcept>
#include <variant>
#include <vector>

namespace gridhelm::test {

/// A rank, a thread, for each device of a team. What all ranks report must be the same.
class RankedStepper final : public solvers::Stepper
{
public:
    using Maker = std::function<std::unique_ptr<solvers::Stepper>(const ExecutionContext &)>;

    RankedStepper(const ExecutionContext &context, const Maker &make)
        : m_steppers(context.team().size())
        , m_crew(m_steppers.size())
    {
        const auto &team = context.team();
        for (const auto &device : team) {
            if (device.index() != team.front().index())
                throw Error("ranks compute on devices of one kind");
        }
        const auto meeting = std::make_shared<ThreadRanksMeeting>(static_cast<int>(team.size()));
        m_crew.run([&](std::size_t i) {
            const auto ranks = std::make_shared<ThreadRanks>(meeting, static_cast<int>(i));
            const auto alone = context.withTeam({});
            const auto *gpu = std::get_if<GpuDevice>(&team[i]);
            const auto here =
                gpu != nullptr ? alone.withGpus({*gpu}) : alone.on(std::get<CpuDevice>(team[i]));
            m_steppers[i] = make(here.withRanks(ranks));
        });
    }
    ~RankedStepper() override
    {
        m_crew.run(
            [this](std::size_t i) { m_steppers[i].reset(); }); // they may wait for each other
    }

    std::string_view method() const override { return m_steppers[0]->method(); }
    ComputedOn computedOn() const override { return m_steppers[0]->computedOn(); }

    void advance(std::uint64_t iterations, std::stop_token stop) override
    {
        m_crew.run([&](std::size_t i) { m_steppers[i]->advance(iterations, stop); });
    }

    solvers::StepReport report() const override
    {
        std::vector<solvers::StepReport> reports(m_steppers.size());
        m_crew.run([&](std::size_t i) { reports[i] = m_steppers[i]->report(); });
        const auto same = [](double a, double b) {
            return a == b || (std::isnan(a) && std::isnan(b));
        };
        for (const auto &each : reports) {
            if (each.iterations != reports[0].iterations
                || !same(each.residual, reports[0].residual)
                || !same(each.largestChange, reports[0].largestChange)
                || !same(each.error, reports[0].error))
                throw std::logic_error("ranks report different figures");
        }
        return reports[0];
    }

    double roundOff() const override
    {
        std::vector<double> changes(m_steppers.size());
        m_crew.run([&](std::size_t i) { changes[i] = m_steppers[i]->roundOff(); });
        if (std::ranges::count(changes, changes[0]) != std::ssize(changes))
            throw std::logic_error("ranks take different changes for round-off");
        return changes[0];
    }

    solvers::FieldView field() const override
    {
        std::vector<solvers::FieldView> fields(m_steppers.size());
        m_crew.run([&](std::size_t i) { fields[i] = m_steppers[i]->field(); });
        return fields[0];
    }

    std::vector<solvers::LiveParameter> liveParameters() const override
    {
        return m_steppers[0]->liveParameters();
    }

    void setLiveParameter(std::string_view name, double value) override
    {
        m_crew.run([&](std::size_t i) { m_steppers[i]->setLiveParameter(name, value); });
    }

private:
    std::vector<std::unique_ptr<solvers::Stepper>> m_steppers;
    mutable Crew m_crew;
};

} // namespace gridhelm::test
