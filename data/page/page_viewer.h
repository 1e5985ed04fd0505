// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace gridhelm::data {

/// What runs in an interactive page (data/page/viewer), and how it looks.
extern const std::string_view pageScript, pageStyle;

} // namespace gridhelm::data
