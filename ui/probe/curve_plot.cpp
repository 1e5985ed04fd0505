// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/curve_plot.h"

#include "ui/controls/number_field.h"
#include "ui/controls/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr double snapPixels = 3;
constexpr double keyStep = 0.01;
constexpr double roomBesideEnds = 0.02; ///< for what is drawn at an end

} // namespace

CurvePlot::CurvePlot(const Parameter &parameter, std::vector<double> marks, QWidget *parent)
    : Plot(parent)
    , m_axis(parameter, std::move(marks))
    , m_line(addGraph())
    , m_dot(addGraph())
    , m_ticks(addGraph(xAxis, yAxis2))
    , m_cursor(new QCPItemStraightLine(this))
{
    setInteractions({});
    setAccessibleName("Curve along " + QString::fromStdString(parameter.name));
    setToolTip(QString("The value at the probe point along %1, the other parameters as they are. "
                       "Ticks at the bottom: simulated. Click or drag to move %1")
                   .arg(QString::fromStdString(parameter.name)));
    m_axis.applyTo(*xAxis, roomBesideEnds);
    yAxis->setNumberFormat("gb");
    yAxis->setNumberPrecision(4);
    yAxis->ticker()->setTickCount(4);
    yAxis2->setRange(0, 1);
    QVector<double> at;
    for (const double mark : m_axis.marks())
        at << m_axis.coordinateOf(mark);
    m_ticks->setData(at, QVector<double>(at.size(), 0));
    m_ticks->setLineStyle(QCPGraph::lsNone);
    m_dot->setLineStyle(QCPGraph::lsNone);
    m_cursor->point1->setCoords(0, 0);
    m_cursor->point2->setCoords(0, 1);
    setMinimumSize(minimumSizeHint());
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    restyle();
}

void CurvePlot::show(const ProbeCurve &curve, double present, double value, const ValueRange &range)
{
    m_curve = curve;
    QVector<double> at, values;
    for (std::size_t i = 0; i < curve.at.size(); ++i) {
        at << m_axis.coordinateOf(curve.at[i]);
        values << static_cast<double>(curve.values[i]);
    }
    m_line->setData(at, values, true);
    m_dot->setData({m_axis.coordinateOf(present)}, {value});
    yAxis->setRange(range.low, range.high);
    setPresent(present);
}

void CurvePlot::setPresent(double present)
{
    m_present = present;
    const double at = m_axis.coordinateOf(present);
    m_cursor->point1->setCoords(at, 0);
    m_cursor->point2->setCoords(at, 1);
    replot(rpQueuedReplot);
}

void CurvePlot::clear()
{
    m_curve = {};
    m_line->setData({}, {});
    m_dot->setData({}, {});
    replot(rpQueuedReplot);
}

QPoint CurvePlot::placeOf(double value) const
{
    const auto area = axisRect()->rect();
    return {static_cast<int>(std::lround(xAxis->coordToPixel(m_axis.coordinateOf(value)))),
            area.center().y()};
}

void CurvePlot::restyle()
{
    Plot::restyle();
    const auto curve = curveColour(palette(), 0), present = accentColour(palette());
    m_line->setPen(QPen(curve, 1.8));
    m_cursor->setPen(QPen(present, 1.2, Qt::DashLine));
    m_dot->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, present, present, 7));
    QPainterPath tick;
    tick.moveTo(0, -6);
    tick.lineTo(0, 0);
    m_ticks->setScatterStyle(
        QCPScatterStyle(tick, QPen(quietTextColour(palette()), 1.2), Qt::NoBrush, 6));
}

void CurvePlot::resizeEvent(QResizeEvent *event)
{
    m_axis.setLength(width() - 60);
    Plot::resizeEvent(event);
}

void CurvePlot::moveTo(double pixel, bool isMoving)
{
    const double snap = snapPixels / std::max(axisRect()->width(), 1);
    emit moved(m_axis.valueNear(xAxis->pixelToCoord(pixel), snap), isMoving);
}

void CurvePlot::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !m_curve.at.empty())
        moveTo(event->position().x(), true);
}

void CurvePlot::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton && !m_curve.at.empty())
        moveTo(event->position().x(), true);
}

void CurvePlot::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && !m_curve.at.empty())
        moveTo(event->position().x(), false);
}

void CurvePlot::mouseDoubleClickEvent(QMouseEvent *event)
{
    mousePressEvent(event);
}

void CurvePlot::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // scrolls the list of plots
}

void CurvePlot::keyPressEvent(QKeyEvent *event)
{
    double to = m_axis.coordinateOf(m_present);
    switch (event->key()) {
    case Qt::Key_Left:
        to -= keyStep;
        break;
    case Qt::Key_Right:
        to += keyStep;
        break;
    case Qt::Key_Home:
        to = 0;
        break;
    case Qt::Key_End:
        to = 1;
        break;
    default:
        Plot::keyPressEvent(event);
        return;
    }
    if (!m_curve.at.empty())
        emit moved(m_axis.valueNear(to, 0), false);
}

} // namespace gridhelm::ui
