// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace gridhelm::ui {

/// What keys and the mouse do in a window, those of its actions first; not modal, one at a time.
void showKeys(QWidget &window);

} // namespace gridhelm::ui
