// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/extents_text.h"

#include "core/support/checked_math.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <cstdint>

namespace gridhelm {

std::vector<std::size_t> parseExtents(const std::string &text, std::string_view what)
{
    std::vector<std::size_t> extents;
    std::uint64_t count = 1;
    std::string_view rest = text;
    for (;;) {
        const auto cross = rest.find('x');
        extents.push_back(parseIndex(rest.substr(0, cross), what));
        count = checkedMultiply(count, extents.back());
        if (cross == std::string_view::npos)
            break;
        rest.remove_prefix(cross + 1);
    }
    if (extents.size() > 3)
        throw Error(
            fmt::format("{}: {} has more than 3 directions: write e.g. 64x64x64", what, text));
    if (count == 0)
        throw Error(
            fmt::format("{}: {} has no points: choose at least 1 in each direction", what, text));
    return extents;
}

} // namespace gridhelm
