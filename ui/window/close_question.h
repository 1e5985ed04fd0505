// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QDialog;
class QWidget;

namespace gridhelm::ui {

/// Asks, where the user wants to be asked, whether the window is to be closed with the study that
/// is open: accepted, it is. It is shown, and goes by itself.
QDialog *askToClose(QWidget &window);

} // namespace gridhelm::ui
