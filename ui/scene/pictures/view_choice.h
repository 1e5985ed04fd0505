// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/view_settings.h"

#include <string>

namespace gridhelm::ui {

/// Why this kind of view cannot show the field, and what to do: a sentence; empty if it can.
std::string whyNot(ViewKind kind, bool isFlat, const data::Field &field);

} // namespace gridhelm::ui
