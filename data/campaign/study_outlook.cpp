// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/study_outlook.h"

#include "core/support/error.h"
#include "data/campaign/study_plan.h"

#include <variant>

namespace gridhelm::data {

bool hasSimulation(const Study &study)
{
    if (study.description().simulation.empty())
        return false;
    try {
        return !std::holds_alternative<std::monostate>(planOf(study).simulation);
    } catch (const Error &) {
        return true;
    }
}

StudyOutlook outlookOf(const Study &study)
{
    return outlookOf(study, hasSimulation(study));
}

StudyOutlook outlookOf(const Study &study, bool hasSimulation)
{
    StudyOutlook outlook{hasSimulation};
    if (!outlook.hasSimulation) {
        outlook.refineObstacle = "The study has no simulation that could be run from here: make "
                                 "the runs elsewhere, and import them";
        return outlook;
    }
    if (study.description().design == StudyDesign::scattered)
        return outlook; // gets more runs at any parameters
    try {
        requireRefinable(study);
    } catch (const Error &error) {
        outlook.refineObstacle = error.what();
    }
    return outlook;
}

std::string howToMeasure(const StudyOutlook &outlook)
{
    return outlook.hasSimulation ? "compress the study with validation points"
                                 : "import runs at other parameters, and compress the study";
}

std::string howToComplete(const StudyOutlook &outlook)
{
    return outlook.hasSimulation ? "run and compress the study"
                                 : "import their runs, and compress the study";
}

} // namespace gridhelm::data
