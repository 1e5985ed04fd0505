// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_map.h"

#include <array>
#include <cstdint>

namespace gridhelm::ui {

using TransparentColour = std::array<std::uint8_t, 4>; ///< sRGB and opacity, not premultiplied

inline constexpr Colour black{0, 0, 0}, white{255, 255, 255};

/// What a pixel is without its background, from how it looks on black and on white. Exact to
/// rounding for everything that is blended with what lies behind it.
TransparentColour withoutBackground(const Colour &onBlack, const Colour &onWhite);

} // namespace gridhelm::ui
