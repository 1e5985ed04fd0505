// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

#include <string>
#include <vector>

namespace gridhelm::cli {

struct PageOptions
{
    std::vector<std::string> studies; ///< several: one page with all of them
    std::string output;
    std::vector<std::string> fields;
    std::string at;      ///< where it opens; the middle of the ranges for what is not said
    std::string error;   ///< that few bits may add; empty: see data::InteractivePageOptions
    std::string maxSize; ///< of the page: "5MB"; empty: as large as it becomes
    bool overwrite = false;
};

/// Writes studies as an interactive page, and says what it has become.
void exportPage(const GlobalOptions &global, const PageOptions &options);

} // namespace gridhelm::cli
