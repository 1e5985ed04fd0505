// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/camera/camera.h"

#include <string_view>

namespace gridhelm::ui {

/// Where a picture is seen from, as plain values, in the mesh's unit of length.
struct CameraPlace
{
    std::array<double, 3> position{0, 0, 1}, focus{0, 0, 0}, up{0, 1, 0};
    double parallelScale = 1; ///< without perspective: half of the picture's height

    bool operator==(const CameraPlace &) const = default;

    /// Whether one can look from there: numbers, and not along `up`.
    bool isSound() const;
};

CameraPlace placeOf(vtkCamera &camera);

/// With perspective: goes there. Without: keeps the direction.
void moveTo(vtkCamera &camera, const CameraPlace &place);

/// A side to look from.
enum class Sight : std::uint8_t { plusX, minusX, plusY, minusY, plusZ, minusZ, isometric };
inline constexpr std::array allSights{Sight::plusX, Sight::minusX, Sight::plusY,    Sight::minusY,
                                      Sight::plusZ, Sight::minusZ, Sight::isometric};
/// "+x", "-x" ... "isometric".
std::string_view toString(Sight sight);
/// Throws gridhelm::Error, with the names there are.
Sight parseSight(std::string_view name);

/// Turns to look from there, z upwards (along z: y); in perspective. To be fitted.
void lookFrom(vtkCamera &camera, Sight sight);

} // namespace gridhelm::ui
