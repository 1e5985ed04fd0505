// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/value_slider.h"
#include "ui/steering/steering_model.h"

#include <functional>

namespace gridhelm::ui {

/// Moves of the slider change the model: one step back for each movement. `what` names it for the
/// user; `how` sets a value.
void steerWith(ValueSlider &slider, SteeringModel &model, const QString &what,
               const std::function<void(Steering &, double)> &how);

/// Changes the model at once.
void steer(SteeringModel &model, const QString &what, const std::function<void(Steering &)> &how);

} // namespace gridhelm::ui
