// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gridhelm {

/// The one of the names that becomes `name` by the fewest characters inserted, left out or changed
/// (Levenshtein's distance), if that is at most a third of its length, or one; otherwise empty.
/// Names of more than 64 characters are near to none.
std::string nearestName(std::string_view name, std::span<const std::string> names);

} // namespace gridhelm
