// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/older_half.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace gridhelm::data {

std::vector<bool> olderHalf(const Study &study)
{
    const auto grid = study.grid();
    std::map<std::vector<sparse::Level>, std::size_t> chosen;
    for (const auto &refinement : study.refinements())
        chosen.emplace(refinement.levels, chosen.size() + 1);
    // Blocks below come before those above in either order.
    std::vector<std::tuple<std::size_t, int, std::size_t>> blocks;
    for (std::size_t block = 0; block < grid->blocks(); ++block) {
        const auto view = grid->levelVector(block);
        const std::vector<sparse::Level> levels(view.begin(), view.end());
        const auto found = chosen.find(levels);
        blocks.emplace_back(found == chosen.end() ? 0 : found->second,
                            std::accumulate(levels.begin(), levels.end(), 0), block);
    }
    std::ranges::sort(blocks);
    std::vector<bool> isOlder(grid->points(), false);
    std::uint64_t taken = 0;
    for (const auto &[when, sum, block] : blocks) {
        if (2 * taken >= grid->points())
            break;
        const auto begin = isOlder.begin() + static_cast<std::ptrdiff_t>(grid->blockOffset(block));
        std::fill_n(begin, grid->blockSize(block), true);
        taken += grid->blockSize(block);
    }
    return isOlder;
}

} // namespace gridhelm::data
