// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a view shows of a study, for *Refine* there; the panel itself knows no views.
#pragma once

#include "data/study/mesh_region.h"

#include <functional>
#include <optional>
#include <string>

namespace gridhelm::ui {

struct MeshInView
{
    std::string field;                      ///< that is shown
    std::optional<data::MeshRegion> region; ///< inside of the picture; none: all of the mesh
};

/// What it is now; none while nothing is shown.
using MeshInViewSource = std::function<std::optional<MeshInView>()>;

} // namespace gridhelm::ui
