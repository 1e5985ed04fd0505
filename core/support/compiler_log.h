// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace gridhelm {

/// The first line of a compiler's log that tells what is wrong, or else its first line: the first
/// 200 characters, without unprintable ones.
inline std::string complaintOf(const std::string &log)
{
    constexpr std::size_t longest = 200;
    const auto error = log.find("error");
    auto line = log.substr(error == std::string::npos ? 0 : error);
    line.resize(std::min(line.find('\n'), std::min(line.size(), longest)));
    std::ranges::replace_if(
        line, [](char c) { return c < ' ' || c > '~'; }, '?');
    return line;
}

} // namespace gridhelm
