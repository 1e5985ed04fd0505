// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <variant>

namespace gridhelm::data {

using RunSetting = std::variant<bool, int, double, std::string>;

/// A plan's [run]: where its runs go.
struct RunPlan
{
    std::string on; ///< name of a registered runner; empty: the first one that takes the plan
    std::map<std::string, RunSetting> settings; ///< of all of its options, if it is named
};

} // namespace gridhelm::data
