// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/hold_outs_inside.h"

#include <algorithm>
#include <utility>

namespace gridhelm::data {

std::vector<UnitHoldOut> holdOutsInside(const Study &study)
{
    std::vector<UnitHoldOut> inside;
    for (const auto &holdOut : study.holdOuts()) {
        auto x = study.description().space.toUnit(holdOut.parameters);
        if (std::ranges::all_of(x, [](double at) { return at > 0 && at < 1; }))
            inside.push_back({holdOut.id, std::move(x)});
    }
    return inside;
}

} // namespace gridhelm::data
