// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/solve/shown_field.h"
#include "ui/window/views/steered_view.h"

namespace gridhelm::ui {

/// The last whole field of the view, the study's at its sliders or a run's own, for a solver to
/// begin with; none while there is none.
std::optional<ShownField> fieldInView(const SteeredView &view);

} // namespace gridhelm::ui
