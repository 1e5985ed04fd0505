// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs at places that the program chooses: space-filling designs, one run after the other.
#pragma once

#include "data/campaign/campaign_steps.h"

#include <cstddef>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace gridhelm::data {

/// Of the places that are chosen in a study.
inline constexpr std::uint64_t fillingSeed = 1;

struct FillStep
{
    std::size_t runs = 0;     ///< that there shall be more than there are now
    int jobs = 1;             ///< at a time
    bool retryFailed = false; ///< first all that have failed are run again, which may make more
    bool keepFolders = false;
    bool keepGoing = false; ///< see CampaignOptions
};

/// Chooses places that fill the space between those that there are (nextPlaces()), runs the
/// simulation there and stores what comes as training runs, each with its end in one transaction.
/// Places are stored when they are chosen: who is killed loses the runs in flight alone, and the
/// same places come afterwards, whatever the number of jobs at a time. A place whose run has failed
/// is remembered with its log, and another one is taken for it, unless more than half of all
/// chosen ones have failed. The report counts runs; `firstFailed` is a PlannedRun's number.
/// Throws gridhelm::Error if the study has no scattered runs or no simulation, or were to have more
/// than kriging can take, and UntrustedExecution as runStep() does.
CampaignReport fillStep(StudyWriter &writer, const FillStep &step, const StepControl &control);

/// Runs that a study's plan asks for, and those that it has.
struct FillState
{
    std::size_t wanted = 0;  ///< by the plan; 0: by none
    std::size_t made = 0;    ///< training runs, imported ones among them
    std::size_t failed = 0;  ///< chosen places where the last attempt has failed
    std::size_t waiting = 0; ///< chosen places that have not been run, or not to their end

    /// What the plan still wants, or was begun before.
    std::size_t lacking() const;
};
/// Throws gridhelm::Error if the study's plan cannot be read.
FillState fillStateOf(const Study &study, const std::stop_token &stop = {});

/// Values of all parameters at the next `count` places: round numbers, each as if those before it
/// were in the study, so that it does not matter how many are asked for at once. Depends on
/// nothing but the places of planned runs, in their order, of other training runs, and of the
/// points of the grid, if it is a study on one. Throws as requireRunsAtAnyPlace() does.
std::vector<std::vector<double>> nextPlaces(const Study &study, std::size_t count);
/// Plans runs there, which wait.
void planPlaces(StudyWriter &writer, std::size_t count);
/// Of a study that has none yet.
std::vector<std::vector<double>> firstPlaces(const ParameterSpace &space, std::size_t count);

} // namespace gridhelm::data
