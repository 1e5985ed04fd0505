// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/stepper.h"
#include "ui/solve/run_update.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <utility>

namespace gridhelm::ui {

/// Something that costs time and is due again after a while.
class Pace
{
public:
    using Clock = std::chrono::steady_clock;

    /// `share`: times its cost that must pass before it is due again, and `shortest` at least: 30 a
    /// second are enough.
    explicit Pace(int share, std::chrono::milliseconds shortest = std::chrono::milliseconds(33))
        : m_share(share)
        , m_shortest(shortest)
    {
    }
    bool isDue() const { return Clock::now() >= m_next; }
    Clock::time_point next() const { return m_next; }
    template <typename Work>
    auto take(Work work)
    {
        const auto begin = Clock::now();
        auto result = work();
        const auto end = Clock::now();
        m_next = end + std::max<Clock::duration>(m_shortest, m_share * (end - begin));
        return result;
    }

private:
    int m_share;
    std::chrono::milliseconds m_shortest;
    Clock::time_point m_next = Clock::now();
};

/// How fast it has been lately, by the stepper's own clock.
class RateMeter
{
public:
    RunRates add(const solvers::StepReport &report)
    {
        m_reports.emplace_back(Clock::now(), report);
        while (m_reports.size() > 2 && m_reports[1].first + rateWindow < m_reports.back().first)
            m_reports.pop_front();
        const auto &first = m_reports.front().second;
        const double seconds = report.seconds - first.seconds;
        if (seconds > 0)
            m_rates = {static_cast<double>(report.iterations - first.iterations) / seconds,
                       (report.flops - first.flops) / seconds,
                       (report.bytes - first.bytes) / seconds};
        return m_rates;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::seconds rateWindow{1};

    std::deque<std::pair<Clock::time_point, solvers::StepReport>> m_reports;
    RunRates m_rates;
};

} // namespace gridhelm::ui
