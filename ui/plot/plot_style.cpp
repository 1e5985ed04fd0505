// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_style.h"

#include "ui/controls/theme.h"
#include "ui/plot/log_ticker.h"

#include <algorithm>

namespace gridhelm::ui {

void stylePlot(QCustomPlot &plot, const QPalette &palette)
{
    const auto text = palette.color(QPalette::Text);
    const auto line = quietTextColour(palette);
    auto grid = palette.color(QPalette::Mid);
    auto fineGrid = grid;
    grid.setAlpha(150);
    fineGrid.setAlpha(70);
    plot.setBackground(palette.color(QPalette::Base));
    const auto font = plot.font();
    for (auto *rect : plot.axisRects()) {
        for (auto *axis : rect->axes()) {
            axis->setBasePen(QPen(line));
            axis->setTickPen(QPen(line));
            axis->setSubTickPen(QPen(line));
            axis->setTickLabelColor(text);
            axis->setLabelColor(text);
            axis->setTickLabelFont(font);
            axis->setLabelFont(font);
            axis->grid()->setPen(QPen(grid));
            axis->grid()->setSubGridPen(QPen(fineGrid));
            axis->grid()->setZeroLinePen(QPen(grid));
        }
    }
    auto back = palette.color(QPalette::Base);
    back.setAlpha(210);
    plot.legend->setBrush(back);
    plot.legend->setBorderPen(QPen(grid));
    plot.legend->setTextColor(text);
    plot.legend->setFont(font);
    plot.legend->setSelectedTextColor(text);
}

void setLogarithmic(QCPAxis &axis, bool isLogarithmic)
{
    if (isLogarithmic) {
        axis.setScaleType(QCPAxis::stLogarithmic);
        axis.setTicker(QSharedPointer<LogTicker>::create());
        axis.setNumberFormat("eb");
        axis.setNumberPrecision(0);
    } else {
        axis.setScaleType(QCPAxis::stLinear);
        axis.setTicker(QSharedPointer<QCPAxisTicker>::create());
        axis.setNumberFormat("gb");
        axis.setNumberPrecision(6);
    }
}

void legendOnTop(QCustomPlot &plot, int inLine)
{
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, plot.legend);
    plot.plotLayout()->setRowStretchFactor(0, 1e-3); // no higher than it must be
    plot.legend->setWrap(inLine);
    plot.legend->setFillOrder(QCPLegend::foColumnsFirst);
    plot.legend->setIconSize(12, 12);
    plot.legend->setVisible(true);
}

QColor curveColour(const QPalette &palette, int index)
{
    const auto &colours = curveColours(palette);
    return colours[static_cast<std::size_t>(index) % colours.size()];
}

Plot::Plot(QWidget *parent)
    : QCustomPlot(parent)
{
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    setFocusPolicy(Qt::StrongFocus);
    stylePlot(*this, palette());
}

void Plot::restyle()
{
    stylePlot(*this, palette());
}

void Plot::showAll()
{
    rescaleAxes(true);
}

void Plot::changeEvent(QEvent *event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::EnabledChange) { // which has colours of its own
        restyle();
        replot(rpQueuedReplot);
    }
}

void Plot::mouseMoveEvent(QMouseEvent *event)
{
    m_isZoomed = m_isZoomed || (event->buttons() & Qt::LeftButton) != 0;
    QCustomPlot::mouseMoveEvent(event);
}

void Plot::mouseDoubleClickEvent(QMouseEvent *event)
{
    QCustomPlot::mouseDoubleClickEvent(event);
    m_isZoomed = false;
    showAll();
    replot(rpQueuedReplot);
}

void Plot::wheelEvent(QWheelEvent *event)
{
    m_isZoomed = true;
    QCustomPlot::wheelEvent(event);
}

} // namespace gridhelm::ui
