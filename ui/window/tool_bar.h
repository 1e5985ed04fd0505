// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

class QAction;
class QDockWidget;
class QToolBar;

namespace gridhelm::ui {

/// Groups of entries, separated from each other.
void fillToolBar(QToolBar &bar, const QList<QList<QAction *>> &groups);

/// Entries of the bar that do what an action of the undo stack does, without the names of steps,
/// that would move the other entries.
QAction *nameless(QAction &action, const QString &text, QToolBar &bar);

/// An entry that opens the list of the choices, of which one is checked: that one's icon and name
/// are on it. `what` is chosen.
QAction *chooserOf(const QList<QAction *> &choices, const QString &what, QToolBar &bar);

/// Entries that show or hide docks, over others.
QList<QAction *> togglesOf(const QList<QDockWidget *> &docks);

} // namespace gridhelm::ui
