// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/team/shares.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::sparse {
namespace {

/// By the weights of those that are in.
std::vector<Share> byWeight(std::size_t count, std::span<const Claim> claims,
                            const std::vector<bool> &isIn)
{
    double all = 0;
    std::size_t last = 0;
    for (std::size_t i = 0; i < claims.size(); ++i) {
        if (!isIn[i])
            continue;
        all += claims[i].weight;
        last = i;
    }
    std::vector<Share> shares;
    std::size_t begin = 0;
    double before = 0;
    for (std::size_t i = 0; i < claims.size(); ++i) {
        if (isIn[i])
            before += claims[i].weight;
        const auto wanted =
            static_cast<std::size_t>(std::round(static_cast<double>(count) * (before / all)));
        const auto end = i >= last ? count : std::clamp(wanted, begin, count);
        shares.push_back({begin, end});
        begin = end;
    }
    return shares;
}

} // namespace

std::vector<Share> shared(std::size_t count, std::span<const Claim> claims)
{
    if (claims.empty() || !std::ranges::all_of(claims, [](const Claim &claim) {
            return claim.weight > 0 && std::isfinite(claim.weight);
        }))
        throw Error("work can be divided only among devices of positive weight; name at least one");
    std::vector<bool> isIn(claims.size(), true);
    for (auto left = claims.size();; --left) {
        auto shares = byWeight(count, claims, isIn);
        bool isEnough = true;
        std::size_t slowest = 0; // the last of them
        for (std::size_t i = 0; i < claims.size(); ++i) {
            if (!isIn[i])
                continue;
            isEnough = isEnough && shares[i].size() >= claims[i].smallest;
            if (!isIn[slowest] || claims[i].weight <= claims[slowest].weight)
                slowest = i;
        }
        if (isEnough || left == 1)
            return shares;
        isIn[slowest] = false;
    }
}

std::vector<Share> sharedEqually(std::size_t count, std::size_t parts)
{
    return shared(count, std::vector<Claim>(parts));
}

} // namespace gridhelm::sparse
