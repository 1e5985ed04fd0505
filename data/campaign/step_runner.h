// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the steps of a campaign that run simulations have in common.
#pragma once

#include "data/campaign/campaign_steps.h"
#include "data/campaign/plan_file.h"

#include <memory>

namespace gridhelm::data {

/// Removes what killed campaigns have left in the working folder. The writer is ours, so nobody
/// else works there but who runs jobs elsewhere.
void tidyAfterKills(const StudyWriter &study);

/// Of the plan's simulation. Throws gridhelm::Error if there is none, and UntrustedExecution for
/// what the user has not agreed to.
std::unique_ptr<JobRunner> runnerOf(const Study &study, const Plan &plan, bool keepFolders,
                                    const StepControl &control);

/// `control` must outlive them.
CampaignOptions campaignOptions(const Plan &plan, const StepControl &control,
                                StepProgress::Phase phase, int jobs);

} // namespace gridhelm::data
