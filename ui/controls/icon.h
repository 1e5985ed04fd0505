// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace gridhelm::ui {

/// One of the drawings in ui/controls/icons, by the name of its file, in the colour that text has
/// on a button at present: it follows the theme. A null icon if there is none of that name.
QIcon icon(const QString &name);

} // namespace gridhelm::ui
