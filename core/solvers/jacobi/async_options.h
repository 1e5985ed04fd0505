// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/options/option.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gridhelm::solvers::jacobi {

/// When a tile of the asynchronous methods hears from its neighbours: async.cpp explains it.
enum class AsyncVariant { async0, async1, async2, async3 };

/// Iterations of a tile between two synchronisations of all tiles, not counting the one that closes
/// the launch. Even, for async3 any number from 1 on.
extern const Option alphaOption;
/// Columns and rows of a tile.
extern const Option tileOption;

/// What was asked for; of the tile 0 where the method chooses.
struct AsyncOptions
{
    int alpha;
    std::array<std::size_t, 2> tile;
};
AsyncOptions asyncOptions(const OptionValues &options);

// Of the methods' records.
std::uint64_t launchIterations(const OptionValues &options);
void requireEvenAlpha(const OptionValues &options, std::string_view name);
void requireTile(const OptionValues &options, std::string_view name);

} // namespace gridhelm::solvers::jacobi
