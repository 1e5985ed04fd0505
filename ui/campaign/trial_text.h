// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/trial_run.h"

#include <QString>

namespace gridhelm::ui {

/// At which parameters: "speed = 1.5 m/s, t = 0 .. 10 s (17 times)".
QString trialPlaceOf(const data::TrialReport &report);

/// Of a run that ended well: how long it took, and what was read from its results, a line for each
/// field.
QString trialResultOf(const data::TrialReport &report);

/// Of one that did not, and what to do.
QString trialProblemOf(const data::TrialReport &report);

} // namespace gridhelm::ui
