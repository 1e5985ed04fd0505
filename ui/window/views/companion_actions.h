// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"

#include <QActionGroup>
#include <QMenu>

namespace gridhelm::ui {

/// With one more companion that looks as the main view does now; the same if there are enough.
Steering withCompanion(Steering steering);
Steering withoutCompanion(Steering steering, std::size_t index);
/// The companion's look is that of the main view, and the other way round.
Steering withExchanged(Steering steering, std::size_t index);

/// What can be done with companions, by menu and keys. They follow the model. To be disabled while
/// there is no study.
QActionGroup *addCompanionActions(QMenu &menu, SteeringModel &model);

} // namespace gridhelm::ui
