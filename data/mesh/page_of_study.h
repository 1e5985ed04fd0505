// SPDX-License-Identifier: GPL-3.0-or-later
//
// An interactive page of a study, with its mesh: what the command line, the window and Python
// write.
#pragma once

#include "data/page/interactive_page.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::data {

struct PageQuestion
{
    std::vector<double> place = {};       ///< where it opens, of answerSpace(); empty: the middle
    std::vector<std::string> fields = {}; ///< by name; empty: all
    std::string remedy = {};              ///< see ReportQuestion
    InteractivePageOptions options = {};  ///< but for its fields
};

/// Of one moment, whoever writes the study meanwhile. Throws gridhelm::Error as interactivePage()
/// and studyReport(), and for a field that there is not.
InteractivePage pageOfStudy(const std::filesystem::path &path, const PageQuestion &question);

/// Throws gridhelm::Error if a page cannot be written there, or something else is there already,
/// which is not replaced. To be called before long work.
void requirePageFile(const std::filesystem::path &path);

} // namespace gridhelm::data
