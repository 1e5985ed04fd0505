// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs, compresses, judges and chooses what comes next, until it is enough. Private to data.
#pragma once

#include "data/campaign/refine_step.h"
#include "data/campaign/run_chooser.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::data {

/// One refineStep().
class Refining
{
public:
    /// All must outlive it; the step is sensible (requireSensible()).
    Refining(StudyWriter &writer, const RefineStep &step, const StepControl &control);

    RefineReport run();

private:
    using Clock = std::chrono::steady_clock;

    void begin();
    std::uint64_t left() const;
    std::size_t holdOuts() const;
    std::uint64_t holdOutsToCome() const;
    std::size_t affordableHoldOuts() const;
    std::uint64_t pending() const;
    bool isOver() const;
    bool isNoise() const;
    void endBy(RefineEnd end) { m_report.end = end; }

    bool runJobs();
    bool growMeanwhile(const CampaignReport &soFar);
    bool isFailing(const CampaignReport &soFar);
    bool decide();
    bool judge();
    bool look();
    bool seemsReached() const;
    bool counts(const ErrorThen &error, HistoryKind kind) const;
    void recallEstimates();
    std::vector<std::optional<double>> readEstimates();
    void remember();
    bool confirm();
    void measure(std::size_t holdOuts);
    bool grow();
    bool add();
    RefineReport finish();

    StudyWriter &m_writer;
    const RefineStep &m_step;
    const StepControl &m_control;
    std::unique_ptr<RunChooser> m_chooser;       ///< once there are results
    std::map<std::uint64_t, double> m_estimates; ///< by runs
    double m_correction = 1;                     ///< of estimates: what hold-outs have shown
    std::optional<double> m_missed;              ///< what they have shown the last time
    bool m_isMeasured = false;                   ///< what is there now
    std::size_t m_failedInARow = 0;
    /// Of the runs that go on: what has come of them before they were looked at last, and when the
    /// last one had gone well.
    std::uint64_t m_ended = 0;
    CampaignReport m_lastSuccess;
    bool m_isEnough = false;        ///< nothing is added before those have ended
    std::exception_ptr m_problem{}; ///< that came up then
    bool m_areQuick = false;        ///< the last runs: see CampaignReport
    bool m_hasRetried = false;      ///< see RefineStep::retryFailed
    bool m_hasRun = false;
    std::optional<Clock::time_point> m_over;
    RefineReport m_report;
};

} // namespace gridhelm::data
