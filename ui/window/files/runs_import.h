// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace gridhelm::ui {

class MainWindow;

/// Asks what runs are to be imported, of the tables that are offered (none: the user names one);
/// then the window opens the study that was made of them, and says its errors. Nothing while that
/// is being asked already.
void importRuns(MainWindow &window, const QStringList &tables);

} // namespace gridhelm::ui
