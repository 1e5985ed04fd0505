// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/picture.h"

#include <string_view>

namespace gridhelm::cli {

/// Labels in pictures: letters of 5 x 7 dots, a dot being 2 x 2 pixels. Small letters, digits and
/// ".+-"; anything else is a blank.
constexpr std::size_t textHeight = 14;
std::size_t textWidth(std::string_view text);

/// `left` and `top` are the corner's pixel; what does not fit into the picture is left out.
void drawText(Picture &picture, std::size_t left, std::size_t top, std::string_view text,
              Colour colour);

} // namespace gridhelm::cli
