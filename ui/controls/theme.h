// SPDX-License-Identifier: GPL-3.0-or-later
//
// Light and dark. Widgets take their colours from the palette, and from here what a palette lacks.
#pragma once

#include <QColor>
#include <QPalette>

#include <vector>

class QApplication;

namespace gridhelm::ui {

enum class Theme { light, dark };
enum class ThemeChoice { light, dark, system };

/// What the choice comes to: that of the desktop is as it was when the program began.
Theme themeOf(ThemeChoice choice);

/// Style and palette of the whole program. May be called again.
void applyTheme(Theme theme);

/// That of the palette: widgets that paint themselves ask for it whenever they paint.
Theme themeOf(const QPalette &palette);

/// Colours with a meaning.
QColor accentColour(const QPalette &palette);
QColor warningColour(const QPalette &palette); ///< an error that may be large, a value that is odd
QColor errorColour(const QPalette &palette);
/// Text that explains.
QColor quietTextColour(const QPalette &palette);
/// Of the curves of a plot, in their order; they can be told apart by people who see few colours.
const std::vector<QColor> &curveColours(const QPalette &palette);

} // namespace gridhelm::ui
