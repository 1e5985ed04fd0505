// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/map_plot.h"

#include "ui/probe/probe_csv.h"
#include "ui/scene/colour/shown_values.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

constexpr double snapPixels = 3;
constexpr double keyStep = 0.01;

} // namespace

MapPlot::MapPlot(QWidget *parent)
    : Plot(parent)
    , m_image(new QCPColorMap(xAxis, yAxis))
    , m_bar(new QCPColorScale(this))
    , m_dots(addGraph())
    , m_crossBack(addGraph())
    , m_cross(addGraph())
{
    setInteractions({});
    setAccessibleName("Response map");
    setToolTip("The value at the probe point over two parameters, the others as they are. Cross: "
               "where the sliders stand; dots: simulated (at some value of the others). Click or "
               "drag to move both sliders");
    plotLayout()->addElement(0, 1, m_bar);
    m_bar->setType(QCPAxis::atRight);
    m_bar->setBarWidth(12);
    m_bar->setRangeDrag(false);
    m_bar->setRangeZoom(false);
    m_bar->axis()->setNumberFormat("gb");
    m_bar->axis()->setNumberPrecision(4);
    auto *margins = new QCPMarginGroup(this);
    axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    m_bar->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    m_image->setColorScale(m_bar);
    m_image->setTightBoundary(true); // the outermost values lie on the border
    m_image->setInterpolate(true);
    for (auto *graph : {m_dots, m_crossBack, m_cross})
        graph->setLineStyle(QCPGraph::lsNone);
    setMinimumSize(200, 130);
    restyle();
}

void MapPlot::setAxes(const StudyFacts &study, std::array<std::size_t, 2> parameters)
{
    m_axes.clear();
    for (const auto t : parameters)
        m_axes.emplace_back(study.parameters[t], study.marks.at(t));
    m_axes[0].applyTo(*xAxis);
    m_axes[1].applyTo(*yAxis);
    m_axes[0].setLength(width() - 150);
    m_axes[1].setLength(height() - 60);
}

void MapPlot::show(std::shared_ptr<const ProbeAnswer> answer, const ColourScheme &colours)
{
    if (!answer || !answer->map) {
        m_map.reset();
        m_study.reset();
        m_image->setVisible(false);
        for (auto *graph : {m_dots, m_crossBack, m_cross})
            graph->setData({}, {});
        replot(rpQueuedReplot);
        return;
    }
    const auto &question = answer->question;
    const bool isOther = m_study != question.study || m_parameters != answer->map->parameters;
    m_map = answer->map;
    const auto &map = *m_map;
    m_study = question.study;
    m_parameters = map.parameters;
    if (isOther) {
        setAxes(*question.study, map.parameters);
        QVector<double> across, up;
        for (const auto &[first, second] : map.sampled) {
            across << m_axes[0].coordinateOf(first);
            up << m_axes[1].coordinateOf(second);
        }
        m_dots->setData(across, up);
    }
    const auto n = map.at[0].size(), m = map.at[1].size();
    auto &cells = *m_image->data();
    cells.setSize(static_cast<int>(n), static_cast<int>(m));
    cells.setRange({0, 1}, {0, 1});
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < m; ++j)
            cells.setCell(static_cast<int>(i), static_cast<int>(j),
                          static_cast<double>(map.values[i * m + j]));
    const auto range = rangeOf(map.values, Scale::linear);
    const auto shown = roundedOutward(range.value_or(ValueRange{0, 1}), Scale::linear);
    setColours(colours);
    m_image->setDataRange({shown.low, shown.high});
    m_image->setVisible(true);
    m_bar->setLabel(QString::fromStdString(titleOfMap(*answer)));
    setPresent({question.parameters[map.parameters[0]], question.parameters[map.parameters[1]]});
}

void MapPlot::setPresent(std::array<double, 2> values)
{
    m_present = values;
    if (m_axes.empty())
        return;
    const QVector<double> across{m_axes[0].coordinateOf(values[0])};
    const QVector<double> up{m_axes[1].coordinateOf(values[1])};
    m_crossBack->setData(across, up);
    m_cross->setData(across, up);
    replot(rpQueuedReplot);
}

void MapPlot::setColours(const ColourScheme &colours)
{
    if (m_colours == colours)
        return;
    m_colours = colours;
    constexpr int steps = 64;
    QCPColorGradient gradient;
    gradient.clearColorStops();
    for (int i = 0; i <= steps; ++i) {
        const double place = static_cast<double>(i) / steps;
        const auto colour = colourOf(colours, place);
        gradient.setColorStopAt(place, QColor(colour[0], colour[1], colour[2]));
    }
    m_image->setGradient(gradient);
}

QPoint MapPlot::placeOf(std::array<double, 2> values) const
{
    if (m_axes.empty())
        return {};
    return {static_cast<int>(std::lround(xAxis->coordToPixel(m_axes[0].coordinateOf(values[0])))),
            static_cast<int>(std::lround(yAxis->coordToPixel(m_axes[1].coordinateOf(values[1]))))};
}

double MapPlot::shownAt(std::array<double, 2> values) const
{
    return m_axes.empty() ? std::nan("")
                          : m_image->data()->data(m_axes[0].coordinateOf(values[0]),
                                                  m_axes[1].coordinateOf(values[1]));
}

void MapPlot::restyle()
{
    Plot::restyle();
    const auto text = palette().color(QPalette::Text);
    auto *axis = m_bar->axis();
    axis->setTickLabelColor(text);
    axis->setLabelColor(text);
    axis->setTickLabelFont(font());
    axis->setLabelFont(font());
    axis->setBasePen(QPen(text));
    axis->setTickPen(QPen(text));
    axis->setSubTickPen(QPen(text));
    // Seen on every colour: light in dark.
    m_dots->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssCircle,
                                            QPen(QColor(0, 0, 0, 200), 0.8),
                                            QColor(255, 255, 255, 220), 4.5));
    const auto cross = [](const QColor &colour, double width) {
        return QCPScatterStyle(QCPScatterStyle::ssPlus, QPen(colour, width), Qt::NoBrush, 18);
    };
    m_crossBack->setScatterStyle(cross(Qt::white, 4.5));
    m_cross->setScatterStyle(cross(QColor(20, 20, 20), 1.8));
}

void MapPlot::resizeEvent(QResizeEvent *event)
{
    if (!m_axes.empty()) {
        m_axes[0].setLength(width() - 150);
        m_axes[1].setLength(height() - 60);
    }
    Plot::resizeEvent(event);
}

void MapPlot::moveTo(QPointF pixel, bool isMoving)
{
    const double acrossSnap = snapPixels / std::max(axisRect()->width(), 1);
    const double upSnap = snapPixels / std::max(axisRect()->height(), 1);
    emit moved({m_axes[0].valueNear(xAxis->pixelToCoord(pixel.x()), acrossSnap),
                m_axes[1].valueNear(yAxis->pixelToCoord(pixel.y()), upSnap)},
               isMoving);
}

void MapPlot::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_map)
        moveTo(event->position(), true);
}

void MapPlot::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() & Qt::LeftButton && m_map)
        moveTo(event->position(), true);
}

void MapPlot::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_map)
        moveTo(event->position(), false);
}

void MapPlot::mouseDoubleClickEvent(QMouseEvent *event)
{
    mousePressEvent(event);
}

void MapPlot::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

void MapPlot::keyPressEvent(QKeyEvent *event)
{
    std::array<double, 2> step{0, 0};
    switch (event->key()) {
    case Qt::Key_Left:
        step[0] = -keyStep;
        break;
    case Qt::Key_Right:
        step[0] = keyStep;
        break;
    case Qt::Key_Down:
        step[1] = -keyStep;
        break;
    case Qt::Key_Up:
        step[1] = keyStep;
        break;
    default:
        Plot::keyPressEvent(event);
        return;
    }
    if (!m_map)
        return;
    auto values = m_present;
    for (std::size_t i = 0; i < 2; ++i) {
        if (step[i] != 0)
            values[i] = m_axes[i].valueNear(m_axes[i].coordinateOf(values[i]) + step[i], 0);
    }
    emit moved(values, false);
}

} // namespace gridhelm::ui
