// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/screen_room.h"

#include <QDockWidget>
#include <QLayout>
#include <QMainWindow>
#include <QScreen>

namespace gridhelm::ui {

QSize roomOn(const QScreen &screen)
{
    constexpr QSize around{16, 48};
    return screen.availableSize() - around;
}

void closePanelsWithoutRoom(QMainWindow &window, const QList<QDockWidget *> &panels)
{
    const auto room = roomOn(*window.screen());
    const auto hasRoom = [&] {
        window.layout()->activate();
        return window.minimumSizeHint().boundedTo(room) == window.minimumSizeHint();
    };
    if (hasRoom())
        return;
    for (auto i = panels.size(); i-- > 0 && !hasRoom();)
        panels[i]->hide();
    window.resize(window.size().boundedTo(room));
}

} // namespace gridhelm::ui
