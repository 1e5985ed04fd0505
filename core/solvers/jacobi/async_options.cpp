// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/jacobi/async_options.h"

#include "core/support/error.h"
#include "core/support/extents_text.h"

#include <fmt/format.h>

namespace gridhelm::solvers::jacobi {
namespace {

OptionValue parseTile(const std::string &text, const std::string &what)
{
    auto tile = parseExtents(text, what);
    if (tile.size() > 2)
        throw Error(fmt::format("{}: {} has three directions: write e.g. 64x32", what, text));
    return tile;
}

} // namespace

constinit const Option alphaOption{
    .key = "alpha",
    .name = "Alpha",
    .help = "Iterations of a tile between two synchronisations of all; even, but for async3",
    .form = "N",
    .type = Option::Type::whole,
    .standard = 6,
    .low = 1,
    .high = 1000,
    .refusal = "the async factor cannot be {value}; choose from {low} to {high}",
};

constinit const Option tileOption{
    .key = "tile",
    .name = "Tile",
    .help = "Columns and rows of a tile, e.g. 64x32",
    .form = "N[xN]",
    .type = Option::Type::extents,
    .standardName = "chosen",
    .parse = parseTile,
};

AsyncOptions asyncOptions(const OptionValues &options)
{
    AsyncOptions result{static_cast<int>(wholeOf(alphaOption, options)), {0, 0}};
    if (const auto tile = extentsOf(tileOption, options); !tile.empty())
        result.tile = {tile.front(), tile.back()};
    return result;
}

std::uint64_t launchIterations(const OptionValues &options)
{
    return static_cast<std::uint64_t>(wholeOf(alphaOption, options)) + 1;
}

void requireTile(const OptionValues &options, std::string_view)
{
    if (const auto tile = extentsOf(tileOption, options); tile.size() > 2)
        throw Error(fmt::format("a tile has no three directions ({}); write e.g. 64x32",
                                textOf(OptionValue(tile))));
}

void requireEvenAlpha(const OptionValues &options, std::string_view name)
{
    requireTile(options, name);
    if (const auto alpha = wholeOf(alphaOption, options); alpha % 2 != 0)
        throw Error(fmt::format("the async factor of {} cannot be odd ({}), because its iterations "
                                "go back and forth between two copies of a tile; choose an even "
                                "one, or async3",
                                name, alpha));
}

} // namespace gridhelm::solvers::jacobi
