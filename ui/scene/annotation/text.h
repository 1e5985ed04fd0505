// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkSmartPointer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// Part of a window, from its lower left corner, in pixels.
struct PixelBox
{
    double left = 0, bottom = 0, width = 1, height = 1;

    bool operator==(const PixelBox &) const = default;
};

struct Fonts
{
    int size = 12;  ///< in points
    int dpi = 72;   ///< at 72 a point is a pixel
    double em = 12; ///< the size in pixels

    /// Legible at any size of the window (in pixels).
    static Fonts forWindow(int width, int height, int dpi);
};

struct TextSize
{
    double width = 0, height = 0; ///< in pixels
};
TextSize sizeOf(vtkTextProperty &property, const std::string &text, int dpi);

/// At the largest size up to `fontSize` at which the text is no longer than `room`; shortened where
/// it would be too small to be read. The property is left with that size, and level.
std::string fitted(vtkTextProperty &property, std::string text, int fontSize, double room, int dpi);

/// A text as pixels, for pictures that are put together without OpenGL.
struct TextImage
{
    int left = 0, bottom = 0; ///< of its lowest row, from the place where the text is anchored
    int width = 0, height = 0;
    std::vector<std::uint8_t> cover; ///< 0 .. 255, row by row, the lowest first
};
TextImage imageOf(vtkTextProperty &property, const std::string &text, int dpi);

vtkSmartPointer<vtkTextActor> makeText();

} // namespace gridhelm::ui
