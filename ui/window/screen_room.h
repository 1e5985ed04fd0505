// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QSize>

class QDockWidget;
class QMainWindow;
class QScreen;

namespace gridhelm::ui {

/// For a window without what the desktop puts around it, which is not known before it is shown.
QSize roomOn(const QScreen &screen);

/// Closes panels that were open on a larger screen, the last ones first, until the window has room
/// on its own.
void closePanelsWithoutRoom(QMainWindow &window, const QList<QDockWidget *> &panels);

} // namespace gridhelm::ui
