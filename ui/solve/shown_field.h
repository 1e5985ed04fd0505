// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/start_field.h"

#include <QString>

#include <functional>
#include <optional>

namespace gridhelm::ui {

/// The field in the window's view, for a run to begin with.
struct ShownField
{
    QString name;                  ///< "temperature at x = 0.3, y = 0.6"
    solvers::FieldAtPlaces values; ///< any thread may call it, later
};

/// What is shown when it is asked, by the GUI's thread; none: nothing is.
using ShownFieldSource = std::function<std::optional<ShownField>()>;

} // namespace gridhelm::ui
