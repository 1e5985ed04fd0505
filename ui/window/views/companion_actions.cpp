// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/companion_actions.h"

#include "ui/controls/icon.h"
#include "ui/window/steering_actions.h"

#include <algorithm>
#include <utility>

namespace gridhelm::ui {

Steering withCompanion(Steering steering)
{
    if (steering.companions.size() < maxCompanions)
        steering.companions.push_back(steering);
    return steering;
}

Steering withoutCompanion(Steering steering, std::size_t index)
{
    if (index < steering.companions.size())
        steering.companions.erase(steering.companions.begin() + static_cast<std::ptrdiff_t>(index));
    return steering;
}

Steering withExchanged(Steering steering, std::size_t index)
{
    if (index < steering.companions.size())
        std::swap(static_cast<Look &>(steering), steering.companions[index]);
    return steering;
}

QActionGroup *addCompanionActions(QMenu &menu, SteeringModel &model)
{
    SteeringActions actions(menu, model);
    auto *keep = actions.add("&Duplicate view", "K",
                             "One more view like this one, that follows the sliders while this one "
                             "is made to show something else",
                             [](Steering &steering) { steering = withCompanion(steering); });
    keep->setIcon(icon("duplicate"));
    auto *next =
        actions.add("Exchange with the ne&xt view", "Shift+K",
                    "The next view beside becomes the main one, which the panel View "
                    "changes; the main one is put behind the others",
                    [](Steering &steering) {
                        steering = withExchanged(steering, 0);
                        std::ranges::rotate(steering.companions, steering.companions.begin() + 1);
                    });
    auto *close = actions.add("Close the vie&ws beside", "Ctrl+K", "Only the main view stays",
                              [](Steering &steering) { steering.companions.clear(); });
    auto *linked = actions.add(
        "&Link the cameras", "L", "All views have the same camera position, where they can",
        [](Steering &steering) { steering.camerasAreLinked = !steering.camerasAreLinked; });
    linked->setCheckable(true);
    actions.follow([=](const Steering &now) {
        keep->setEnabled(now.companions.size() < maxCompanions);
        for (auto *action : {next, close})
            action->setEnabled(!now.companions.empty());
        linked->setChecked(now.camerasAreLinked);
    });
    return &actions.group();
}

} // namespace gridhelm::ui
