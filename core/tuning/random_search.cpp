// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/trials.h"

#include <algorithm>
#include <random>

namespace gridhelm::tuning {

void drawAtRandom(const SearchSpace &space, Trials &trials)
{
    auto variants = space.all();
    std::mt19937_64 generator(trials.limits().seed);
    std::ranges::shuffle(variants, generator);
    for (const auto &variant : variants) {
        if (trials.isOver())
            return;
        (void)trials.seconds(variant);
    }
}

} // namespace gridhelm::tuning
