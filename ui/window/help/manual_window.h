// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace gridhelm::ui {

/// Where the pages of the manual are: installed, or those of the checkout that the program was
/// built in. Empty: nowhere.
QString manualFolder();

/// Which page of it is about the panel in which a widget is; index.md for others, and for none.
QString manualPageFor(const QWidget *focus);

/// The manual, without a network, open at this page; not modal, one at a time.
void showManual(QWidget &window, const QString &page);

} // namespace gridhelm::ui
