// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkCamera.h>

#include <QPointF>
#include <QSizeF>

namespace gridhelm::ui {

/// Where a camera is, as a plain value.
struct CameraPlace
{
    std::array<double, 3> position{0, 0, 1}, focus{0, 0, 0}, up{0, 1, 0};
    double parallelScale = 1;
    double viewAngle = 30;
    bool isParallel = false;

    bool operator==(const CameraPlace &) const = default;
};
CameraPlace placeOf(vtkCamera &camera);
void moveTo(vtkCamera &camera, const CameraPlace &place);

// What the hand does, in pixels of a picture (y downwards) of this size.

/// Around the focus: a full turn for a drag across twice the picture.
void rotate(vtkCamera &camera, QPointF by, QSizeF picture);
/// The focus follows the hand.
void pan(vtkCamera &camera, QPointF by, QSizeF picture);
/// Nearer by this factor (above 0); without perspective what is under `at` stays there.
void zoom(vtkCamera &camera, double factor, QPointF at, QSizeF picture);

} // namespace gridhelm::ui
