// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/geometry/mesh_shape.h"

#include <vtkCamera.h>

namespace gridhelm::ui {

constexpr double obliqueViewAngle = 22; ///< degrees; small: parallel edges look parallel

/// Looks along `normal` (x to the right where it can be, z or y upwards), without perspective.
void lookStraight(vtkCamera &camera, Axis normal);

/// From above, `up` upwards; in perspective.
void lookOblique(vtkCamera &camera, Axis up);

/// Keeps the direction; moves and zooms so that `box` fills a picture of this shape.
void fit(vtkCamera &camera, const vtkBoundingBox &box, double widthByHeight);

/// Unit vectors of the picture, in space.
struct EyeAxes
{
    std::array<double, 3> right{}, up{}, towards{}; ///< towards: away from the eye
};
EyeAxes eyeAxes(vtkCamera &camera);

} // namespace gridhelm::ui
