// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/camera_control.h"

#include "ui/scene/camera/camera.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gridhelm::ui {
namespace {

/// Length of a pixel at the focus.
double pixelLength(vtkCamera &camera, QSizeF picture)
{
    const double height =
        camera.GetParallelProjection()
            ? 2 * camera.GetParallelScale()
            : 2 * camera.GetDistance() * std::tan(camera.GetViewAngle() * std::numbers::pi / 360);
    return height / std::max(picture.height(), 1.0);
}

void shift(vtkCamera &camera, double right, double up)
{
    const auto axes = eyeAxes(camera);
    std::array<double, 3> position{}, focus{};
    camera.GetPosition(position.data());
    camera.GetFocalPoint(focus.data());
    for (std::size_t i = 0; i < 3; ++i) {
        const double by = right * axes.right[i] + up * axes.up[i];
        position[i] += by;
        focus[i] += by;
    }
    camera.SetPosition(position.data());
    camera.SetFocalPoint(focus.data());
}

} // namespace

void rotate(vtkCamera &camera, QPointF by, QSizeF picture)
{
    camera.Azimuth(-180 * by.x() / std::max(picture.width(), 1.0));
    camera.Elevation(180 * by.y() / std::max(picture.height(), 1.0));
    camera.OrthogonalizeViewUp();
}

void pan(vtkCamera &camera, QPointF by, QSizeF picture)
{
    const double length = pixelLength(camera, picture);
    shift(camera, -by.x() * length, by.y() * length);
}

void zoom(vtkCamera &camera, double factor, QPointF at, QSizeF picture)
{
    factor = std::clamp(factor, 0.01, 100.0);
    if (!camera.GetParallelProjection()) {
        camera.Dolly(factor);
        return;
    }
    const double before = pixelLength(camera, picture);
    camera.SetParallelScale(camera.GetParallelScale() / factor);
    const double after = pixelLength(camera, picture);
    const QPointF fromCentre = at - QPointF(picture.width() / 2, picture.height() / 2);
    shift(camera, fromCentre.x() * (before - after), -fromCentre.y() * (before - after));
}

bool areAlike(vtkCamera &one, vtkCamera &other)
{
    const bool isStraight = one.GetParallelProjection();
    if (isStraight != bool(other.GetParallelProjection()))
        return false;
    constexpr double rounding = 1e-9; // they are unit vectors
    const auto mine = eyeAxes(one).towards, its = eyeAxes(other).towards;
    return !isStraight || mine[0] * its[0] + mine[1] * its[1] + mine[2] * its[2] > 1 - rounding;
}

} // namespace gridhelm::ui
