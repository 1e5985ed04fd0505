// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace gridhelm::solvers {

/// Cache lines from one row of a grid to the next, at least `needed`, such that rows which are
/// worked on together do not get into each other's way: addresses that differ by nearly a multiple
/// of 4096 bytes (64 lines) share a cache set, and CPUs take a load for one that waits for an
/// earlier store. Six rows side by side were a quarter to a tenth as fast at a distance of 64 k -
/// 1, 64 k, 64 k + 1, 13, 16, 32 or 48 lines, and equally fast at any other (Zen 3).
constexpr std::size_t rowLines(std::size_t needed)
{
    constexpr std::size_t aPage = 64;
    constexpr std::size_t together = 7;
    constexpr std::size_t shortRow = 16; // all of them are within a page or two
    const auto collides = [](std::size_t lines) {
        for (std::size_t rows = 1; rows <= together; ++rows) {
            const auto distance = rows * lines % aPage;
            if (distance < 2 || distance > aPage - 2)
                return true;
        }
        return false;
    };
    if (needed >= shortRow) {
        while (collides(needed))
            ++needed;
    }
    return needed;
}

} // namespace gridhelm::solvers
