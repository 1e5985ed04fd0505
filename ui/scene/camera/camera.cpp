// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/camera/camera.h"

#include <vtkMath.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::ui {
namespace {

using Vector = std::array<double, 3>;

constexpr double roomAround = 1.02; // lines at the border are not cut

Vector cornerOf(const vtkBoundingBox &box, int number)
{
    Vector corner;
    box.GetCorner(number, corner.data());
    return corner;
}

/// What the corners of the box cover, as (right, up) of the eye; divided by their distance if
/// `distance` (from the focal point) is given.
struct Cover
{
    double left = std::numeric_limits<double>::infinity(), right = -left;
    double bottom = left, top = -left;
};

Cover coverOf(vtkCamera &camera, const vtkBoundingBox &box, const double *distance)
{
    const auto [right, up, towards] = eyeAxes(camera);
    Vector focus;
    camera.GetFocalPoint(focus.data());
    Cover cover;
    for (int number = 0; number < 8; ++number) {
        Vector corner = cornerOf(box, number);
        vtkMath::Subtract(corner.data(), focus.data(), corner.data());
        const double depth = distance ? *distance + vtkMath::Dot(corner.data(), towards.data()) : 1;
        const double x = vtkMath::Dot(corner.data(), right.data()) / depth;
        const double y = vtkMath::Dot(corner.data(), up.data()) / depth;
        cover.left = std::min(cover.left, x);
        cover.right = std::max(cover.right, x);
        cover.bottom = std::min(cover.bottom, y);
        cover.top = std::max(cover.top, y);
    }
    return cover;
}

void lookFrom(vtkCamera &camera, const Vector &from, const Vector &up)
{
    camera.SetFocalPoint(0, 0, 0);
    camera.SetPosition(from.data());
    camera.SetViewUp(up.data());
    camera.OrthogonalizeViewUp();
}

void placeAt(vtkCamera &camera, const Vector &focus, double distance)
{
    Vector towards;
    camera.GetDirectionOfProjection(towards.data());
    camera.SetFocalPoint(focus.data());
    camera.SetPosition(focus[0] - distance * towards[0], focus[1] - distance * towards[1],
                       focus[2] - distance * towards[2]);
}

} // namespace

void lookStraight(vtkCamera &camera, Axis normal)
{
    camera.ParallelProjectionOn();
    if (normal == Axis::z)
        lookFrom(camera, {0, 0, 1}, {0, 1, 0});
    else if (normal == Axis::y)
        lookFrom(camera, {0, -1, 0}, {0, 0, 1});
    else
        lookFrom(camera, {1, 0, 0}, {0, 0, 1});
}

void lookOblique(vtkCamera &camera, Axis up)
{
    camera.ParallelProjectionOff();
    camera.SetViewAngle(obliqueViewAngle);
    // The axes of the ground in right-handed order, so that x runs to the right.
    const auto u = static_cast<std::size_t>(up), first = (u + 1) % 3, second = (u + 2) % 3;
    Vector from;
    from[first] = 0.55;
    from[second] = -1.0;
    from[u] = 0.62;
    lookFrom(camera, from, unitVector(up));
}

void fit(vtkCamera &camera, const vtkBoundingBox &box, double widthByHeight)
{
    Vector centre;
    box.GetCenter(centre.data());
    const double diagonal = std::max(box.GetDiagonalLength(), 1e-300);
    const double tangent = std::tan(vtkMath::RadiansFromDegrees(0.5 * obliqueViewAngle));
    double distance = 0.5 * diagonal / tangent;
    placeAt(camera, centre, distance);
    if (camera.GetParallelProjection()) {
        const Cover cover = coverOf(camera, box, nullptr);
        camera.SetParallelScale(
            0.5 * roomAround
            * std::max({cover.top - cover.bottom, (cover.right - cover.left) / widthByHeight,
                        1e-9 * diagonal}));
        return;
    }
    // Perspective: centring changes what is near and hence how large it is; a few rounds settle.
    for (int round = 0; round < 8; ++round) {
        const Cover cover = coverOf(camera, box, &distance);
        const double half =
            0.5 * std::max(cover.top - cover.bottom, (cover.right - cover.left) / widthByHeight);
        const auto [right, up, towards] = eyeAxes(camera);
        Vector focus;
        camera.GetFocalPoint(focus.data());
        const double x = 0.5 * (cover.left + cover.right) * distance;
        const double y = 0.5 * (cover.bottom + cover.top) * distance;
        for (std::size_t t = 0; t < 3; ++t)
            focus[t] += x * right[t] + y * up[t];
        distance *= roomAround * half / tangent;
        placeAt(camera, focus, distance);
    }
}

EyeAxes eyeAxes(vtkCamera &camera)
{
    EyeAxes eye;
    camera.GetDirectionOfProjection(eye.towards.data());
    camera.GetViewUp(eye.up.data());
    vtkMath::Cross(eye.towards.data(), eye.up.data(), eye.right.data());
    vtkMath::Normalize(eye.right.data());
    vtkMath::Cross(eye.right.data(), eye.towards.data(), eye.up.data());
    return eye;
}

} // namespace gridhelm::ui
