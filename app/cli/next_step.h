// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which command brings a study on: advice that does not lead in a circle.
#pragma once

#include "data/study/study.h"

#include <string>

namespace gridhelm::cli {

/// Whether compress would find something that it can compute.
bool canCompress(const data::Study &study);

/// What a study needs next until all of its snapshots are there, then compress:
/// "gridhelm-cli run mine.gridhelm --retry-failed".
std::string nextStep(const data::Study &study);

/// How the errors of a study come to be known that were not measured: "gridhelm-cli compress
/// mine.gridhelm --holdout 20", or what does the same with runs that are made elsewhere.
std::string howToMeasure(const data::Study &study);

} // namespace gridhelm::cli
