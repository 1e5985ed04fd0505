// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which part of a surface each pixel of a picture shows: with it, new values are painted without
// drawing the surface again.
#pragma once

#include <vtkPolyData.h>
#include <vtkRenderer.h>

#include <array>
#include <cstdint>
#include <vector>

namespace gridhelm::ui {

/// A pixel in which the surface is seen, and the vertices of the triangle that is seen there. Its
/// value is (1 - ofSecond - ofThird) * first + ofSecond * second + ofThird * third.
struct SeenPixel
{
    std::uint32_t pixel = 0; ///< row * width + column, the topmost row first
    std::array<std::uint32_t, 3> vertices{};
    float ofSecond = 0, ofThird = 0;
};

/// As the renderer's camera sees it (its clipping range must hold the surface), ascending by
/// `pixel`; what lies behind is left out. isPerCell: vertices are three times the cell's number.
/// Empty if the surface has strips, or parts behind the eye. width, height: of the window.
std::vector<SeenPixel> seenPixels(vtkPolyData &surface, bool isPerCell, vtkRenderer &renderer,
                                  int width, int height);

} // namespace gridhelm::ui
