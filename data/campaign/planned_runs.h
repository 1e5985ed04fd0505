// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs at places that the program has chosen (StudyWriter::planRun()). Private to data.
#pragma once

#include "data/campaign/campaign_runs.h"

#include <string>
#include <vector>

namespace gridhelm::data {

/// In the order in which they were planned.
std::vector<PlannedRun> plannedIn(const Study &study, PlannedRunState state);

void waitAgain(StudyWriter &writer, const std::vector<PlannedRun> &runs);

/// Runs at chosen places, one round of them after the other. What comes becomes training runs.
class PlannedRuns : public SnapshotRuns
{
public:
    using SnapshotRuns::SnapshotRuns;

    void workOn(std::vector<PlannedRun> round);

    /// Adds those that wait and are not among them yet. Returns how many, whose indices follow.
    std::size_t takeNewRuns();

protected:
    std::string nameOf(std::size_t index) const override;
    const std::vector<double> &parametersOf(std::size_t index) const override;
    void store(std::size_t index, RunSnapshot snapshot) override;
    JobId fail(std::size_t index, const std::string &log) override;

private:
    std::vector<PlannedRun> m_round;
};

} // namespace gridhelm::data
