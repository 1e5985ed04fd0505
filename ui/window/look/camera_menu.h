// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAction;
class QMenu;

namespace gridhelm::ui {

class SteeredView;

/// The menu Camera: sides to look from, with keys. Returns its entry in `menu`.
QAction *addCameraMenu(QMenu &menu, SteeredView &view);

} // namespace gridhelm::ui
