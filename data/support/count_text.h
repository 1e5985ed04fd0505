// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// "1 job", "2 jobs".
std::string countText(std::uint64_t count, std::string_view noun);

} // namespace gridhelm::data
