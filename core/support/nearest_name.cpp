// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace gridhelm {
namespace {

std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        auto diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const auto changed = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string nearestName(std::string_view name, std::span<const std::string> names)
{
    constexpr std::size_t longest = 64;
    if (name.size() > longest)
        return {};
    std::string nearest;
    auto best = std::max<std::size_t>(1, name.size() / 3) + 1;
    for (const auto &candidate : names) {
        const auto away = candidate.size() > longest ? best : distance(name, candidate);
        if (away < best) {
            best = away;
            nearest = candidate;
        }
    }
    return nearest;
}

} // namespace gridhelm
