// SPDX-License-Identifier: GPL-3.0-or-later
//
// The plane on which a slice lies, and by which pictures of solid bodies are clipped.
#pragma once

#include "ui/scene/geometry/clip_surface.h"
#include "ui/scene/pictures/picture_option.h"

#include <optional>

namespace gridhelm::ui {

/// Where the plane is.
extern const PictureOption normalOption, positionOption;
/// Whether it clips, and which half is kept.
extern const PictureOption clipOption, clipInvertOption;

/// Whether the picture lies on the plane, or is clipped by it. (A flat mesh has no planes.)
bool usesPlane(const ViewSettings &settings);

/// None: the whole of the body is shown. Throws gridhelm::Error for a plane outside of the mesh.
std::optional<ClipPlane> clipPlaneOf(const MeshShape &shape, const ViewSettings &settings);

} // namespace gridhelm::ui
