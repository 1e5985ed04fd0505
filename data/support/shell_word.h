// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace gridhelm::data {

/// As one word for a POSIX shell, whatever is in it (a zero byte excepted, which no word may have).
inline std::string shellWord(std::string_view text)
{
    std::string word = "'";
    for (const char c : text) {
        if (c == '\'')
            word += "'\\''";
        else
            word += c;
    }
    return word + "'";
}

} // namespace gridhelm::data
