// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"
#include "data/answers/study_report.h"

#include <span>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// Slices of these fields of a study, as "gridhelm-cli render" draws them, in the study's order;
/// nothing without names. `place`: of data::answerSpace(), in their units. Throws gridhelm::Error
/// for unknown fields, and where nothing can be drawn.
std::vector<data::ReportedPicture> reportPictures(const GlobalOptions &global,
                                                  const std::string &study,
                                                  const std::vector<std::string> &fields,
                                                  std::span<const double> place);

} // namespace gridhelm::cli
