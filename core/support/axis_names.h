// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

namespace gridhelm {

constexpr std::array<const char *, 3> axisNames{"x", "y", "z"};

} // namespace gridhelm
