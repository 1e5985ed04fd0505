// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/bytes_text.h"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace gridhelm {
namespace {

using Units = std::array<const char *, 7>;

std::string textOf(double bytes, double step, const Units &units)
{
    std::size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < units.size()) {
        bytes /= step;
        ++unit;
    }
    return unit == 0 ? fmt::format("{:.0f} B", bytes)
                     : fmt::format("{:.3g} {}", bytes, units[unit]);
}

} // namespace

std::string bytesText(double bytes)
{
    return textOf(bytes, 1000, {"B", "kB", "MB", "GB", "TB", "PB", "EB"});
}

std::string memoryText(double bytes)
{
    return textOf(bytes, 1024, {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"});
}

} // namespace gridhelm
