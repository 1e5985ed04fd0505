// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/picture_form.h"

#include "core/support/error.h"
#include "core/support/memory_check.h"

#include <string>

namespace gridhelm::ui {

void requirePossible(QSize size)
{
    const auto text = std::to_string(size.width()) + " x " + std::to_string(size.height());
    for (const int side : {size.width(), size.height()})
        if (side < smallestPicture || side > largestPicture)
            throw Error("a picture of " + text + " pixels cannot be drawn; each side must have "
                        + std::to_string(smallestPicture) + " to "
                        + std::to_string(largestPicture));
    // Colour and depth while it is drawn, what OpenGL gives, and the picture itself, also as it is
    // put together with another one or compressed.
    constexpr double bytesOfPixel = 28;
    requireMemory(bytesOfPixel * size.width() * size.height(), "a picture of " + text + " pixels",
                  "choose a smaller one");
}

} // namespace gridhelm::ui
