// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/memory_check.h"

#include "core/support/error.h"
#include "core/support/system_info.h"

#include <cmath>

namespace gridhelm {

namespace {

std::string inGib(double bytes)
{
    const auto tenths = std::to_string(std::ceil(bytes / (1 << 30) * 10) / 10);
    return tenths.substr(0, tenths.find('.') + 2) + " GiB";
}

} // namespace

void requireMemory(double bytes, const std::string &what, const std::string &remedy)
{
    const auto available = static_cast<double>(availableMemoryBytes());
    if (available != 0 && bytes > available) // 0: unknown
        throw Error(what + " needs " + inGib(bytes) + ", but " + inGib(available)
                    + " of memory are available: " + remedy);
}

} // namespace gridhelm
