// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/base64.h"

#include <algorithm>
#include <cstdint>

namespace gridhelm {

std::string base64(std::string_view bytes)
{
    constexpr std::string_view alphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const auto here = std::min<std::size_t>(3, bytes.size() - at);
        std::uint32_t three = 0;
        for (std::size_t i = 0; i < 3; ++i)
            three = three << 8 | (i < here ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        for (std::size_t i = 0; i < 4; ++i)
            text += i <= here ? alphabet[three >> (18 - 6 * i) & 63U] : '=';
    }
    return text;
}

} // namespace gridhelm
