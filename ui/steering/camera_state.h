// SPDX-License-Identifier: GPL-3.0-or-later
//
// The camera in files and settings. It is no part of Steering: looking around is nothing that one
// would want to undo.
#pragma once

#include "ui/scene/camera/camera_place.h"

#include <QJsonObject>

#include <optional>

namespace gridhelm::ui {

/// Where the camera is kept in the JSON of a steering (see toJson() in steering.h).
inline constexpr auto cameraKey = "camera";

QJsonObject toJson(const CameraPlace &camera);
/// None if something is missing, or nothing can be seen from there.
std::optional<CameraPlace> cameraFromJson(const QJsonObject &json);

} // namespace gridhelm::ui
