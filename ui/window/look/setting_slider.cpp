// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/setting_slider.h"

#include "ui/controls/value_track.h"

namespace gridhelm::ui {

void steerWith(ValueSlider &slider, SteeringModel &model, const QString &what,
               const std::function<void(Steering &, double)> &how)
{
    const auto change = [&model, what, how](double value, bool isMoving) {
        auto steering = model.now();
        how(steering, value);
        model.change(what, steering, isMoving);
    };
    QObject::connect(&slider, &ValueSlider::valueEdited, &slider, [&slider, change](double value) {
        change(value, slider.track()->isSliderDown());
    });
    QObject::connect(&slider, &ValueSlider::editingFinished, &slider,
                     [change](double value) { change(value, false); });
}

void steer(SteeringModel &model, const QString &what, const std::function<void(Steering &)> &how)
{
    auto steering = model.now();
    how(steering);
    model.change(what, steering);
}

} // namespace gridhelm::ui
