// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm {

/// "a, b or c" with `last` = "or".
std::string enumeration(std::span<const std::string_view> names, std::string_view last);
std::string enumeration(const std::vector<std::string> &names, std::string_view last);

} // namespace gridhelm
