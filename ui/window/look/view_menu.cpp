// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/view_menu.h"

#include "ui/controls/action_tip.h"
#include "ui/controls/icon.h"
#include "ui/window/look/camera_menu.h"
#include "ui/window/look/kind_actions.h"
#include "ui/window/steer/animation.h"
#include "ui/window/views/companion_actions.h"
#include "ui/window/views/steered_view.h"

namespace gridhelm::ui {

ViewActions addViewActions(QMenu &menu, SteeringModel &model, SteeredView &view,
                           Animation &animation,
                           const std::function<void(const QString &sentence)> &refused)
{
    ViewActions actions;
    actions.kinds = addKindActions(
        menu, model, [&view](ViewKind kind) { return view.unavailableReason(kind); }, refused);
    menu.addSeparator();
    actions.fit = menu.addAction("&Fit", &view, [&view] {
        if (auto *widget = view.sceneWidget())
            widget->resetCamera();
    });
    actions.fit->setShortcut(QKeySequence("0"));
    actions.fit->setIcon(icon("fit"));
    explain(*actions.fit, "The whole mesh fills the view again");
    auto *camera = addCameraMenu(menu, view);
    auto *play = menu.addAction("&Play or stop", &animation, &Animation::playOrStop);
    play->setShortcut(QKeySequence("Space"));
    play->setIcon(icon("play"));
    explain(*play, "Runs through the range of the parameter that the panel Steer names, or stops");
    actions.ofStudy = actions.kinds;
    actions.ofStudy << actions.fit << camera << play;
    menu.addSeparator();
    actions.companions = addCompanionActions(menu, model);
    return actions;
}

} // namespace gridhelm::ui
