// SPDX-License-Identifier: GPL-3.0-or-later
//
// From places in a picture to places in its mesh, and back.
#pragma once

#include "ui/viewer/canvas.h"

#include <QPointF>
#include <QRectF>

#include <array>
#include <optional>

namespace gridhelm::ui {

/// Where the field is in a drawing, in pixels of the widget that shows it. Its image is not null.
QRectF fieldAreaOf(const Drawing &drawing);

/// In the coordinates of the mesh, what lies under a pixel (y upwards) of the window for which the
/// scene was last laid out; none beside it. Of a body that is drawn deformed (Warp by vector),
/// where it was before.
std::optional<std::array<double, 3>> pickInMesh(Scene &scene, double x, double y);

/// Where such coordinates are in the widget that shows the drawing, whose image is not null; also
/// beside fieldAreaOf(). None for what lies behind the eye.
std::optional<QPointF> placeOf(const std::array<double, 3> &inMesh, const Drawing &drawing);

} // namespace gridhelm::ui
