// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkCamera.h>

#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::ui {

/// Those of the places (x, y and z of each) that are inside of a picture of this shape, ascending,
/// whatever may hide them. None of those that are no numbers, or lie behind the eye.
std::vector<std::uint32_t> placesInSight(vtkCamera &camera, double widthByHeight,
                                         std::span<const double> places);

} // namespace gridhelm::ui
