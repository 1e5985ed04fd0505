// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/execution/tunable.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace gridhelm {

TuningKey keyOf(const TunableOperation &operation, std::size_t valueBytes, double size,
                int dimension)
{
    auto name = std::string(operation.name);
    if (dimension > 0)
        name += fmt::format(", {} dimensions", dimension);
    return {std::move(name), std::string(operation.device), valueBytes,
            TuningTable::sizeClassOf(size)};
}

std::optional<int> nearestTuned(std::string_view constant, const TuningTable &table,
                                const TuningKey &key, const std::function<bool(int)> &isPossible)
{
    constexpr int none = std::numeric_limits<int>::min();
    for (const int classesAway : {0, -1, 1}) {
        auto near = key;
        near.sizeClass += classesAway;
        const int found = table.find(near, constant, none);
        if (found != none && isPossible(found))
            return found;
    }
    return std::nullopt;
}

int tunedValue(const TunableConstant &constant, const TuningTable &table, const TuningKey &key)
{
    const auto isPossible = [&](int value) {
        return std::ranges::find(constant.values, value) != constant.values.end();
    };
    return nearestTuned(constant.name, table, key, isPossible).value_or(constant.compiledIn);
}

} // namespace gridhelm
