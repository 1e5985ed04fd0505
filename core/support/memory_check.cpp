// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/memory_check.h"

#include "core/support/bytes_text.h"
#include "core/support/error.h"
#include "core/support/system_info.h"

namespace gridhelm {

void requireMemory(double bytes, const std::string &what, const std::string &remedy)
{
    const auto available = static_cast<double>(availableMemoryBytes());
    if (available != 0 && bytes > available) // 0: unknown
        throw Error(what + " needs " + memoryText(bytes) + ", but " + memoryText(available)
                    + " of memory are available: " + remedy);
}

} // namespace gridhelm
