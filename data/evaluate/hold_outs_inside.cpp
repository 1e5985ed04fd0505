// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/hold_outs_inside.h"

#include "data/evaluate/hold_out_places.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gridhelm::data {

std::vector<UnitHoldOut> holdOutsInside(const Study &study)
{
    const auto &space = study.description().space;
    std::vector<UnitHoldOut> inside;
    std::map<std::vector<double>, std::size_t> runs;
    for (const auto &holdOut : study.holdOuts()) {
        auto x = space.toUnit(holdOut.parameters);
        if (!std::ranges::all_of(x, [](double at) { return at > 0 && at < 1; }))
            continue;
        const auto run = runs.try_emplace(runOf(space, holdOut.parameters), runs.size()).first;
        inside.push_back({holdOut.id, std::move(x), run->second});
    }
    std::ranges::stable_sort(inside, {}, &UnitHoldOut::run);
    return inside;
}

} // namespace gridhelm::data
