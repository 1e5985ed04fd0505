// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private to data.
#pragma once

#include <string>
#include <string_view>

namespace gridhelm::data {

/// What the plan that a study keeps says of who made it; empty where it does not.
struct PlanAuthorship
{
    std::string author, licence;
};
/// Of any text; nothing of one that is no plan.
PlanAuthorship authorshipOf(std::string_view toml);

} // namespace gridhelm::data
