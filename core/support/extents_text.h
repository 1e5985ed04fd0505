// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm {

/// "512x256x128": 1 to 3 numbers, each at least 1. Throws Error, also if their product is beyond 64
/// bits; `what` names the place.
std::vector<std::size_t> parseExtents(const std::string &text, std::string_view what);

} // namespace gridhelm
