// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bodies drawn as a displacement deforms them.
#pragma once

#include "ui/scene/pictures/field_picture.h"
#include "ui/scene/pictures/picture_option.h"

namespace gridhelm::ui {

/// Whether nodes are moved, and by how many times the vector.
extern const PictureOption warpOption, warpFactorOption;

/// 0: nodes stay where they are, as those of kinds of pictures that cannot move them do.
double warpFactor(const ViewSettings &settings);

/// What is drawn is moved, if that is wanted, and then follows new values. To be called at the end:
/// what cuts it does so where it is in the mesh.
void warp(FieldPicture::Parts &parts, const ViewSettings &settings);

} // namespace gridhelm::ui
