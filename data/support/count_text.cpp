// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/support/count_text.h"

#include <fmt/format.h>

namespace gridhelm::data {

std::string countText(std::uint64_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

} // namespace gridhelm::data
