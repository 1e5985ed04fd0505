// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>

namespace gridhelm::ui {

/// What a picture that is kept shall be like.
struct PictureForm
{
    QSize size = {};            ///< in pixels; empty: as in the window
    bool isTransparent = false; ///< nothing behind what is drawn

    bool operator==(const PictureForm &) const = default;
};

/// Sides of pictures of any size, in pixels; a machine's OpenGL may allow less.
constexpr int smallestPicture = 64, largestPicture = 16384;

/// Throws gridhelm::Error, as a sentence, for a size that is out of range, or for which there is no
/// memory.
void requirePossible(QSize size);

} // namespace gridhelm::ui
