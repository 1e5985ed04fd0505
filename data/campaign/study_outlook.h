// SPDX-License-Identifier: GPL-3.0-or-later
//
// What can be done next with a study, from what it is: advice and buttons begin here.
#pragma once

#include "data/study/study.h"

#include <string>

namespace gridhelm::data {

struct StudyOutlook
{
    bool hasSimulation = false; ///< that its plan names; else runs are imported
    /// Why runs cannot be added where the error is large, a sentence without its full stop; empty:
    /// they can.
    std::string refineObstacle = {};
};

/// Whether the study's plan says how runs are made. Of a plan that cannot be read, too: what is
/// wrong with it, a run says.
bool hasSimulation(const Study &study);

StudyOutlook outlookOf(const Study &study);
/// The same for who has read the plan.
StudyOutlook outlookOf(const Study &study, bool hasSimulation);

// What to do, in words that begin a clause and end without a full stop.

/// Where errors were not measured: "compress the study with validation points".
std::string howToMeasure(const StudyOutlook &outlook);
/// Where runs of the grid are missing: "run and compress the study".
std::string howToComplete(const StudyOutlook &outlook);

} // namespace gridhelm::data
