// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::data {

/// Any program.
struct CommandPlan
{
    std::vector<std::string> arguments; ///< with placeholders; the program first
    bool shell = false;                 ///< `arguments` is one text, for /bin/sh
    std::vector<std::string> templates; ///< as the plan names them; see templatesOf()
    std::filesystem::path folder;       ///< where these names begin
    bool isForeign = false;             ///< PlanPlace::foreignStudy
    std::vector<std::pair<std::string, std::string>> environment;
    double timeLimit = 0; ///< seconds; 0: none
    std::string result;   ///< path in the job's folder, with placeholders, * and ?
};

} // namespace gridhelm::data
