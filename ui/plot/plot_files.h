// SPDX-License-Identifier: GPL-3.0-or-later
//
// Plots as files, and as pictures for the clipboard.
#pragma once

#include <QImage>
#include <QList>
#include <QString>

class QCustomPlot;

namespace gridhelm::ui {

/// What is seen of several plots (at least one), one below the other, at twice its resolution.
QImage pictureOf(const QList<QCustomPlot *> &plots);

/// The same as PNG, SVG or PDF, as the ending of the path says; the last two have lines and letters
/// instead of pixels, but for maps, which are pictures in them. The file appears whole or not at
/// all. Throws gridhelm::Error.
void savePlots(const QList<QCustomPlot *> &plots, const QString &path);

} // namespace gridhelm::ui
