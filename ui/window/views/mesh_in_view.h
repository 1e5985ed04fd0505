// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/mesh_in_view.h"
#include "ui/window/views/steered_view.h"

#include <QString>

namespace gridhelm::ui {

/// The file of the study whose field the view shows; empty while it shows none.
QString studyInView(const SteeredView &view);

/// What of it is inside of the picture; none while it shows none. Waits for what is being drawn.
std::optional<MeshInView> meshInView(const SteeredView &view);

} // namespace gridhelm::ui
