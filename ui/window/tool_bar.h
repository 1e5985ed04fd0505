// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QDockWidget;
class QToolBar;

namespace gridhelm::ui {

/// Groups of entries, separated from each other.
void fillToolBar(QToolBar &bar, const QList<QList<QAction *>> &groups);

/// Entries of the bar that do what an action of the undo stack does, without the names of steps,
/// that would move the other entries.
QAction *nameless(QAction &action, const QString &text, QToolBar &bar);

/// Entries that show or hide docks, over others.
QList<QAction *> togglesOf(const QList<QDockWidget *> &docks);

} // namespace gridhelm::ui
