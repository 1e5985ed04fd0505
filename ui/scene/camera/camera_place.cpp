// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/camera/camera_place.h"

#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace gridhelm::ui {
namespace {

using Vector = std::array<double, 3>;

double lengthOf(const Vector &v)
{
    return std::hypot(v[0], v[1], v[2]);
}

} // namespace

bool CameraPlace::isSound() const
{
    Vector towards{};
    for (std::size_t t = 0; t < 3; ++t)
        towards[t] = focus[t] - position[t];
    const Vector across{towards[1] * up[2] - towards[2] * up[1],
                        towards[2] * up[0] - towards[0] * up[2],
                        towards[0] * up[1] - towards[1] * up[0]};
    const double area = lengthOf(across), most = lengthOf(towards) * lengthOf(up);
    return std::isfinite(most) && std::isfinite(lengthOf(focus)) && area > 1e-6 * most
           && std::isfinite(parallelScale) && parallelScale > 0;
}

CameraPlace placeOf(vtkCamera &camera)
{
    CameraPlace place;
    camera.GetPosition(place.position.data());
    camera.GetFocalPoint(place.focus.data());
    camera.GetViewUp(place.up.data());
    place.parallelScale = camera.GetParallelScale();
    return place;
}

void moveTo(vtkCamera &camera, const CameraPlace &place)
{
    camera.SetParallelScale(place.parallelScale);
    if (camera.GetParallelProjection()) {
        Vector towards{};
        camera.GetDirectionOfProjection(towards.data());
        const double distance = camera.GetDistance();
        camera.SetFocalPoint(place.focus.data());
        camera.SetPosition(place.focus[0] - distance * towards[0],
                           place.focus[1] - distance * towards[1],
                           place.focus[2] - distance * towards[2]);
        return;
    }
    camera.SetFocalPoint(place.focus.data());
    camera.SetPosition(place.position.data());
    camera.SetViewUp(place.up.data());
}

std::string_view toString(Sight sight)
{
    constexpr std::array<std::string_view, allSights.size()> names{"+x", "-x", "+y",       "-y",
                                                                   "+z", "-z", "isometric"};
    return names[static_cast<std::size_t>(sight)];
}

Sight parseSight(std::string_view name)
{
    for (const Sight sight : allSights)
        if (toString(sight) == name)
            return sight;
    throw Error("there is no standard view '" + std::string(name)
                + "'; choose from +x, -x, +y, -y, +z, -z, isometric");
}

void lookFrom(vtkCamera &camera, Sight sight)
{
    Vector from{1, -1, 1}, up{0, 0, 1};
    if (sight != Sight::isometric) {
        const auto side = static_cast<std::size_t>(sight);
        from = {0, 0, 0};
        from[side / 2] = side % 2 == 0 ? 1 : -1;
        if (side / 2 == 2)
            up = {0, 1, 0};
    }
    camera.ParallelProjectionOff();
    camera.SetViewAngle(obliqueViewAngle);
    camera.SetFocalPoint(0, 0, 0);
    camera.SetPosition(from.data());
    camera.SetViewUp(up.data());
    camera.OrthogonalizeViewUp();
}

} // namespace gridhelm::ui
