// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QString>

namespace gridhelm::ui {

/// What it does, with its key behind it, as its tool tip. After the key has been set.
inline void explain(QAction &action, const QString &what)
{
    const auto key = action.shortcut().toString(QKeySequence::NativeText);
    action.setToolTip(key.isEmpty() ? what : what + " (" + key + ")");
}

} // namespace gridhelm::ui
