// SPDX-License-Identifier: GPL-3.0-or-later
//
// The steps of a campaign (data/campaign/campaign_steps.h) on a terminal: with a progress line, and
// Ctrl-C throws Interrupted, with the study in order.
#pragma once

#include "app/cli/commands.h"
#include "data/campaign/campaign_steps.h"
#include "data/campaign/refine_step.h"
#include "data/campaign/scattered_study.h"

#include <string>
#include <vector>

namespace gridhelm::cli {

using data::CompressStep;
using data::CompressStepReport;
using data::holdOutSeed;
using data::ImportStep;
using data::levelCapsOf;
using data::RunStep;

/// Where simulations run, and what to do about a command that the user has not agreed to yet.
struct RunChoice
{
    bool agreed = false;    ///< --trust
    bool mayAsk = false;    ///< if there is a terminal
    std::string on = {};    ///< --on, see data::StepControl
    bool takesOver = false; ///< --take-over, see data::CopiedStudy
};
inline constexpr const char *trustHelp =
    "Agree to the study's command, and remember that (see info --plan)";

inline constexpr const char *onHelp =
    "Run there this time, in place of what the plan's [run] says: local (this computer), slurm "
    "(the plan's cluster), or slurm:HOST[:FOLDER], a cluster as ssh knows it";

inline constexpr const char *takeOverHelp =
    "Take up jobs that another copy of the study has on a cluster, with which nobody goes on";

inline constexpr const char *keepGoingHelp =
    "Ignore errors: go on even if the first runs fail one after the other, all alike";

// Each throws gridhelm::Error if the user does not agree to what would be executed.
data::CampaignReport runStep(data::StudyWriter &writer, const RunStep &step,
                             const RunChoice &choice = {});
data::CampaignReport holdOutStep(data::StudyWriter &writer,
                                 const std::vector<std::vector<double>> &parameters, int jobs);
CompressStepReport compressStep(data::StudyWriter &writer, const CompressStep &step,
                                const RunChoice &choice = {});
data::ImportReport importStep(data::StudyWriter &writer, const ImportStep &step);
data::RefineReport refineStep(data::StudyWriter &writer, const data::RefineStep &step,
                              const RunChoice &choice = {});
data::SuggestReport suggestStep(data::StudyWriter &writer, const data::RefineStep &step);
/// --jobs: 1 to 1024, or 0 for one a core. Throws gridhelm::Error.
int jobsAtATime(const GlobalOptions &global, const std::string &text);
data::ScatteredReport scatteredStep(const data::ScatteredStep &step);

} // namespace gridhelm::cli
