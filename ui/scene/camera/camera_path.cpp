// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/camera/camera_path.h"

#include <vtkMath.h>
#include <vtkQuaternion.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gridhelm::ui {
namespace {

using Vector = std::array<double, 3>;

Vector minus(const Vector &a, const Vector &b)
{
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// a + factor * b
Vector plus(const Vector &a, double factor, const Vector &b)
{
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}

/// Rodrigues' formula; `axis` is one of the mesh, or against it.
Vector rotated(const Vector &v, const Vector &axis, double degrees)
{
    const double angle = vtkMath::RadiansFromDegrees(degrees);
    Vector across;
    vtkMath::Cross(axis.data(), v.data(), across.data());
    Vector result = plus({}, std::cos(angle), v);
    result = plus(result, std::sin(angle), across);
    return plus(result, (1 - std::cos(angle)) * vtkMath::Dot(axis.data(), v.data()), axis);
}

/// Away from the focus; its length is the distance.
Vector backwards(const CameraPlace &place)
{
    return minus(place.position, place.focus);
}

double distanceOf(const CameraPlace &place)
{
    const auto back = backwards(place);
    return vtkMath::Norm(back.data());
}

/// Right, up and backwards as a rotation of the mesh's axes.
vtkQuaterniond turnOf(const CameraPlace &place)
{
    Vector back = backwards(place), right, up;
    vtkMath::Normalize(back.data());
    vtkMath::Cross(place.up.data(), back.data(), right.data());
    vtkMath::Normalize(right.data());
    vtkMath::Cross(back.data(), right.data(), up.data());
    double columns[3][3];
    for (std::size_t t = 0; t < 3; ++t) {
        columns[t][0] = right[t];
        columns[t][1] = up[t];
        columns[t][2] = back[t];
    }
    vtkQuaterniond turn;
    turn.FromMatrix3x3(columns);
    return turn;
}

double evenFactor(double from, double to, double share)
{
    return from * std::pow(to / from, share);
}

} // namespace

CameraPlace turned(const CameraPlace &place, double degrees)
{
    Vector axis{};
    const auto most = static_cast<std::size_t>(
        std::ranges::max_element(place.up, {}, [](double part) { return std::abs(part); })
        - place.up.begin());
    axis[most] = place.up[most] < 0 ? -1 : 1;
    auto result = place;
    result.position = plus(place.focus, 1, rotated(backwards(place), axis, degrees));
    result.up = rotated(place.up, axis, degrees);
    return result;
}

CameraPlace between(const CameraPlace &from, const CameraPlace &to, double share)
{
    const auto turn = turnOf(from).Slerp(share, turnOf(to));
    double columns[3][3];
    turn.ToMatrix3x3(columns);
    const double distance = evenFactor(distanceOf(from), distanceOf(to), share);
    CameraPlace place;
    place.parallelScale = evenFactor(from.parallelScale, to.parallelScale, share);
    for (std::size_t t = 0; t < 3; ++t) {
        place.focus[t] = std::lerp(from.focus[t], to.focus[t], share);
        place.up[t] = columns[t][1];
        place.position[t] = place.focus[t] + distance * columns[t][2];
    }
    return place;
}

} // namespace gridhelm::ui
