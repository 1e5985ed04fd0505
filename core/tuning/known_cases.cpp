// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/known_cases.h"

#include "core/tuning/saved_tuning.h"

#include <algorithm>

namespace gridhelm::tuning {

std::vector<TuningEntry> takeKnown(std::vector<TuningDevice> &devices)
{
    std::vector<TuningEntry> known;
    for (auto &device : devices) {
        const auto entries = savedTuning(device.machine, device.context);
        std::erase_if(device.cases, [&](const TuningCase &each) {
            const auto entry = std::ranges::find(entries, each.key, &TuningEntry::key);
            if (entry != entries.end())
                known.push_back(*entry);
            return entry != entries.end();
        });
    }
    return known;
}

std::size_t countOfCases(const std::vector<TuningDevice> &devices)
{
    std::size_t count = 0;
    for (const auto &device : devices)
        count += device.cases.size();
    return count;
}

} // namespace gridhelm::tuning
