// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where a camera is on its way round something, or from one place to another.
#pragma once

#include "ui/scene/camera/camera_place.h"

namespace gridhelm::ui {

/// `place`, which is sound, turned round its focus as on a turntable: about the axis of the mesh
/// that points upwards in the picture most, counterclockwise as seen from above.
CameraPlace turned(const CameraPlace &place, double degrees);

/// On the way from one sound place to another, `share` 0 .. 1 of it: directions turn evenly,
/// distances grow by even factors, and the focus goes straight on.
CameraPlace between(const CameraPlace &from, const CameraPlace &to, double share);

} // namespace gridhelm::ui
