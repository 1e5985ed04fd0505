// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the panel shows of a study, read at one moment: plain values that go from thread to thread.
#pragma once

#include "data/campaign/study_outlook.h"
#include "data/evaluate/hold_out.h"
#include "data/evaluate/hold_out_places.h"
#include "data/study/study_types.h"
#include "data/study/undo_growth.h"
#include "ui/campaign/grid_projection.h"

#include <QString>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::ui {

struct JobRow
{
    data::JobId id = 0; ///< negative: the run of that number off the grid, in a study on one
    data::JobState state = data::JobState::waiting;
    int attempts = 0;
    double started = 0, finished = 0; ///< as in data::Job
    std::uint64_t points = 0;
    std::vector<double> parameters; ///< of the run: see StudyState::jobParameters
    QString on = {};                ///< that runs elsewhere: where, as data::runOn() takes it
    bool isQueued = false;          ///< there

    bool operator==(const JobRow &) const = default;
};

struct StudyState
{
    StudyState(QString file, data::StudyDescription what);

    QString path;
    data::StudyDescription description;
    data::StudyOutlook outlook;
    bool isBuiltIn = false;
    bool canGoElsewhere = false; ///< to a cluster
    QString cluster;             ///< that the plan names, "me@login.cluster"; empty: none
    std::vector<std::string> fields;
    /// Of each field that has been compressed: by what it is evaluated, and why.
    std::vector<std::string> surrogates;
    std::vector<std::string> doubts;        ///< of each field: see data::leaveOneOutDoubt()
    std::vector<std::size_t> jobParameters; ///< dimensions that a job has one value of
    std::vector<JobRow> jobs; ///< by id, then those off the grid; of very many only some, the
                              ///< failed ones among them
    std::array<std::uint64_t, 4> jobCounts{}; ///< of all jobs, by JobState
    std::uint64_t points = 0;                 ///< of the grid
    std::uint64_t snapshots = 0;        ///< points that have all of their snapshots
    std::uint64_t coefficients = 0;     ///< points whose coefficients are final
    std::uint64_t provisional = 0;      ///< points whose coefficients will change
    std::optional<data::Growth> growth; ///< the last one
    std::size_t trainingRuns = 0;       ///< off the grid, with results
    std::size_t holdOuts = 0;
    std::vector<data::ErrorSummary> errors;
    std::vector<data::ErrorThen> errorHistory;
    data::HoldOutCoverage coverage; ///< of the held-out ones among them
    double fileBytes = 0;
    GridProjection projection;
    std::size_t across = 0, up = 0; ///< of the projection

    std::uint64_t count(data::JobState state) const
    {
        return jobCounts[static_cast<std::size_t>(state)];
    }
    std::uint64_t allJobs() const;
    bool isScattered() const { return description.design == data::StudyDesign::scattered; }
    /// Whether compressing finds something.
    bool hasResults() const { return snapshots + trainingRuns > 0; }
    bool hasSomethingToShow() const
    {
        return coefficients + provisional > 0 || !surrogates.empty();
    }
    /// What a viewer of the study depends on: changes if there is something new to see.
    using Contents = std::array<std::uint64_t, 8>;
    Contents contents() const;
};

using StudyStatePtr = std::shared_ptr<const StudyState>;

/// Reads it. Throws gridhelm::Error.
StudyState stateOf(const data::Study &study, std::size_t across, std::size_t up);

} // namespace gridhelm::ui
