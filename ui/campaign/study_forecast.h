// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a step of a campaign will take, said before it is begun.
#pragma once

#include "data/campaign/plan_cost.h"
#include "ui/campaign/study_state.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace gridhelm::ui {

/// What a higher level adds. Throws gridhelm::Error if that is more than can be counted.
data::PlanCost growthOf(const StudyState &state, int level);

/// "about 40 s", as long as the jobs that are done took; empty as long as none is.
QString timeForecast(const StudyState &state, std::uint64_t jobs, int atATime);

/// "76 points, 76 jobs, about 1.3 MB, about 40 s".
QString growthForecast(const StudyState &state, const data::PlanCost &added, int atATime);

/// What compressing runs to measure the error, if there shall be so many hold-outs: a sentence.
QString holdOutForecast(const StudyState &state, std::size_t holdOuts, int atATime);

} // namespace gridhelm::ui
