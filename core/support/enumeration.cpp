// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/enumeration.h"

#include <fmt/format.h>

#include <cstddef>

namespace gridhelm {

std::string enumeration(std::span<const std::string_view> names, std::string_view last)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0)
            text += i + 1 < names.size() ? std::string(", ") : fmt::format(" {} ", last);
        text += names[i];
    }
    return text;
}

std::string enumeration(const std::vector<std::string> &names, std::string_view last)
{
    return enumeration(std::vector<std::string_view>(names.begin(), names.end()), last);
}

} // namespace gridhelm
