// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/comparison.h"

#include "core/support/quantile.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace gridhelm::tuning {
namespace {

constexpr std::size_t fewest = 3;
constexpr double beyondNoise = 2;

bool isFaster(const std::vector<double> &ratios)
{
    return quantile(ratios, 0.5) >= smallestGain && quantile(ratios, 0.25) > 1;
}

} // namespace

Judgement judgementOf(std::span<const double> ratios, std::size_t most)
{
    std::vector<double> all(ratios.begin(), ratios.end());
    if (all.size() >= most)
        return isFaster(all) ? Judgement::faster : Judgement::notFaster;
    if (all.size() >= fewest) {
        const auto [least, greatest] = std::ranges::minmax(all);
        const double noise = beyondNoise * (greatest - least);
        if (least >= smallestGain && least - 1 > noise)
            return Judgement::faster;
        if (smallestGain - greatest > noise)
            return Judgement::notFaster;
    }
    // Were all others as good as can be.
    all.resize(most, std::numeric_limits<double>::max());
    return isFaster(all) ? Judgement::open : Judgement::notFaster;
}

} // namespace gridhelm::tuning
