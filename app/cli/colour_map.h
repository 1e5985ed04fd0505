// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>

namespace gridhelm::cli {

using Colour = std::array<std::uint8_t, 3>; ///< sRGB

/// Perceptually uniform: lightness rises linearly with `value` in [0, 1] (clamped) from near black
/// to near white, the hue runs from violet over red to yellow, all in the OKLab colour space.
Colour colourOf(double value);

} // namespace gridhelm::cli
