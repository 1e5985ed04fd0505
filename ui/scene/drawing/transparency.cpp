// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/drawing/transparency.h"

#include <algorithm>

namespace gridhelm::ui {

TransparentColour withoutBackground(const Colour &onBlack, const Colour &onWhite)
{
    // black: a c; white: a c + 255 (1 - a); the difference is the same in all parts.
    int difference = 0;
    for (std::size_t part = 0; part < 3; ++part)
        difference += onWhite[part] - onBlack[part];
    const int opacity = std::clamp(255 - (difference + 1) / 3, 0, 255);
    TransparentColour result{0, 0, 0, static_cast<std::uint8_t>(opacity)};
    for (std::size_t part = 0; part < 3 && opacity > 0; ++part)
        result[part] =
            static_cast<std::uint8_t>(std::min(255, (255 * onBlack[part] + opacity / 2) / opacity));
    return result;
}

} // namespace gridhelm::ui
