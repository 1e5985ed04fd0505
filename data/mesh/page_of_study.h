// SPDX-License-Identifier: GPL-3.0-or-later
//
// An interactive page of a study, with its mesh: what the command line, the window and Python write.
#pragma once

#include "data/page/interactive_page.h"

#include <string>
#include <vector>

namespace gridhelm::data {

struct PageQuestion
{
    std::vector<double> place;            ///< where it opens: of answerSpace(), in their units
    std::vector<std::string> fields = {}; ///< by name; empty: all
    std::string remedy = {};              ///< see ReportQuestion
    InteractivePageOptions options = {};  ///< but for its fields
};

/// Throws gridhelm::Error as interactivePage() and studyReport(), and for a field that there is not.
InteractivePage pageOfStudy(const Study &study, const PageQuestion &question);

} // namespace gridhelm::data
