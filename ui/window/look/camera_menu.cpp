// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/camera_menu.h"

#include "ui/controls/action_tip.h"
#include "ui/controls/icon.h"
#include "ui/window/views/steered_view.h"

#include <QMenu>

namespace gridhelm::ui {
namespace {

QString keyOf(Sight sight)
{
    if (sight == Sight::isometric)
        return "I";
    const auto side = QString::fromUtf8(toString(sight));
    return (side.startsWith('-') ? "Shift+" : "") + side.mid(1).toUpper();
}

} // namespace

QAction *addCameraMenu(QMenu &menu, SteeredView &view)
{
    auto *camera = menu.addMenu(icon("camera"), "Camer&a");
    for (const Sight sight : allSights) {
        const auto side = QString::fromUtf8(toString(sight));
        auto *action = camera->addAction(sight == Sight::isometric ? "&Isometric" : "From " + side);
        action->setShortcut(QKeySequence(keyOf(sight)));
        explain(*action, sight == Sight::isometric
                             ? "Standard view: the mesh from a corner"
                             : "Standard view: the mesh from its side " + side);
        QObject::connect(action, &QAction::triggered, &view,
                         [&view, sight] { view.lookFrom(sight); });
        // A menu that is disabled leaves the keys of its entries alone.
        QObject::connect(camera->menuAction(), &QAction::changed, action, [camera, action] {
            action->setEnabled(camera->menuAction()->isEnabled());
        });
    }
    return camera->menuAction();
}

} // namespace gridhelm::ui
