// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace gridhelm::stencil {

/// What generated code for CPUs and for GPUs says of sides.
inline constexpr std::string_view sideRules =
    R"(enum class Rule { value, slope, periodic };

struct Side
{
    Rule rule;
    Value numbers[radius]; // the ghosts' values, or how much they are above their mirror images
};
)";

} // namespace gridhelm::stencil
