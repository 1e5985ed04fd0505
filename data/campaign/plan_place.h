// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::data {

/// Where a plan's text comes from.
enum class PlanPlace {
    file,         ///< the user writes it: its templates have to be there
    ownStudy,     ///< a study that the user has made of it, on this machine
    foreignStudy, ///< a study that anybody may have made: its paths have to stay below its folder
};

} // namespace gridhelm::data
