// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/known_cases.h"

#include "core/tuning/saved_tuning.h"
#include "core/tuning/search_space.h"

#include <algorithm>
#include <map>
#include <string>

namespace gridhelm::tuning {
namespace {

/// A table is only a file: what cannot be chosen is used by no kernel, and is as good as not known.
bool isPossible(const TunableOperation &operation, const std::map<std::string, int> &constants)
{
    const auto variants = spaceOf(operation).all();
    return std::ranges::any_of(variants, [&](const Variant &variant) {
        return constantsOf(operation, variant) == constants;
    });
}

} // namespace

std::vector<TuningEntry> takeKnown(std::vector<TuningDevice> &devices)
{
    std::vector<TuningEntry> known;
    for (auto &device : devices) {
        const auto entries = savedTuning(device.machine, device.context);
        std::erase_if(device.cases, [&](const TuningCase &each) {
            const auto entry = std::ranges::find(entries, each.key, &TuningEntry::key);
            if (entry == entries.end() || !isPossible(*each.operation, entry->constants))
                return false;
            known.push_back(*entry);
            return true;
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
