// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QActionGroup;

namespace gridhelm::ui {

class FileMenu;
class MainWindow;
struct Panels;

/// What the window has to know of its menus.
struct Menus
{
    FileMenu *files = nullptr;
    QList<QAction *> ofStudy;            ///< that need a study
    QList<QActionGroup *> groupsOfStudy; ///< likewise
};

/// Fills the window's menu bar and its tool bar. Views and panels have to be there.
Menus makeMenus(MainWindow &window, const Panels &panels);

} // namespace gridhelm::ui
