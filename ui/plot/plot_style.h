// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

namespace gridhelm::ui {

/// Background, axes, grid, labels and legend in the colours of the palette. Curves keep theirs.
void stylePlot(QCustomPlot &plot, const QPalette &palette);

/// A logarithmic axis (LogTicker), or a linear one.
void setLogarithmic(QCPAxis &axis, bool isLogarithmic);

/// The legend above the curves, of so many in a line: it covers none of them.
void legendOnTop(QCustomPlot &plot, int inLine);

/// Of the curve that comes `index`-th.
QColor curveColour(const QPalette &palette, int index);

/// A plot that follows the theme. The wheel zooms the axis under the mouse, dragging moves it, a
/// double click shows everything again.
class Plot : public QCustomPlot
{
    Q_OBJECT

public:
    explicit Plot(QWidget *parent = nullptr);

    /// Whether the user looks at a part of their own choice.
    bool isZoomed() const { return m_isZoomed; }

protected:
    /// Called once more whenever the palette changes; calls of the base class first.
    virtual void restyle();
    /// Back to everything.
    virtual void showAll();

    void changeEvent(QEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;

private:
    bool m_isZoomed = false;
};

} // namespace gridhelm::ui
