// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace gridhelm::ui {

/// Studies that were opened, the latest first, kept in the settings; those that are no more are
/// left out.
QStringList recentFiles();
void addRecentFile(const QString &path);

} // namespace gridhelm::ui
