// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QVBoxLayout;
class QWidget;

namespace gridhelm::ui {

/// An empty column in the middle of the page, a little above its centre; what has no room in a
/// small window is scrolled. The page must not have a layout yet.
QVBoxLayout &centredColumn(QWidget &page);

} // namespace gridhelm::ui
