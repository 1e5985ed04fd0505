// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/scatter_plot.h"

#include "core/support/csv_line.h"
#include "ui/plot/save_menu.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr double nearDot = 24; ///< pixels from a click to the dot that it means

QCPRange rangeOf(const std::vector<ScatterPlot::Dot> &dots, double ScatterPlot::Dot::*which)
{
    if (dots.empty())
        return {0, 1};
    const auto [low, high] = std::ranges::minmax(dots, {}, which);
    const double spread = high.*which - low.*which;
    const double room = spread > 0 ? 0.06 * spread : 1; // so that dots at the ends are whole
    return {low.*which - room, high.*which + room};
}

QCPRange both(const QCPRange &one, const QCPRange &other)
{
    return {std::min(one.lower, other.lower), std::max(one.upper, other.upper)};
}

} // namespace

ScatterPlot::ScatterPlot(const QString &name, QWidget *parent)
    : Plot(parent)
    , m_line(new QCPCurve(xAxis, yAxis))
    , m_curve(new QCPCurve(xAxis, yAxis))
    , m_mark(new QCPCurve(xAxis, yAxis))
{
    setInteractions({});
    for (auto *axis : {xAxis, yAxis}) {
        axis->ticker()->setTickCount(4);
        axis->setNumberFormat("gb");
        axis->setNumberPrecision(4);
    }
    auto *menu = new SaveMenu(
        name, {this}, [this] { return csv(); }, this);
    menu->openOn(*this, [this] { return !m_dots.empty(); });
    connect(menu, &SaveMenu::news, this, &ScatterPlot::news);
    connect(menu, &SaveMenu::failed, this, &ScatterPlot::failed);
    restyle();
}

void ScatterPlot::show(std::vector<Dot> dots, const QString &firstAxis, const QString &secondAxis,
                       Line line)
{
    m_dots = std::move(dots);
    m_taken.reset();
    m_curve->data()->clear();
    m_mark->data()->clear();
    m_line->data()->clear();
    for (const auto &dot : m_dots) {
        m_curve->addData(dot.first, dot.second);
        if (line == Line::through)
            m_line->addData(dot.first, dot.second);
    }
    xAxis->setLabel(firstAxis);
    yAxis->setLabel(secondAxis);
    auto first = rangeOf(m_dots, &Dot::first), second = rangeOf(m_dots, &Dot::second);
    if (line == Line::diagonal) {
        first = second = both(first, second);
        m_line->addData(first.lower, first.lower);
        m_line->addData(first.upper, first.upper);
    } else if (line == Line::zero) {
        second = both(second, {0, 0});
        m_line->addData(first.lower, 0);
        m_line->addData(first.upper, 0);
    }
    xAxis->setRange(first);
    yAxis->setRange(second);
    replot(rpQueuedReplot);
}

void ScatterPlot::take(std::size_t dot)
{
    m_taken = dot;
    m_mark->data()->clear();
    m_mark->addData(m_dots[dot].first, m_dots[dot].second);
    replot(rpQueuedReplot);
    emit picked(dot);
}

void ScatterPlot::mousePressEvent(QMouseEvent *event)
{
    Plot::mousePressEvent(event);
    if (event->button() != Qt::LeftButton)
        return;
    std::size_t nearest = 0;
    double least = nearDot;
    for (std::size_t i = 0; i < m_dots.size(); ++i) {
        const double away =
            std::hypot(xAxis->coordToPixel(m_dots[i].first) - event->position().x(),
                       yAxis->coordToPixel(m_dots[i].second) - event->position().y());
        if (away < least) {
            least = away;
            nearest = i;
        }
    }
    if (least < nearDot)
        take(nearest);
}

void ScatterPlot::keyPressEvent(QKeyEvent *event)
{
    const bool isNext = event->key() == Qt::Key_Right;
    if (m_dots.empty() || !(isNext || event->key() == Qt::Key_Left)) {
        Plot::keyPressEvent(event);
        return;
    }
    const auto last = m_dots.size() - 1;
    if (!m_taken)
        take(isNext ? 0 : last);
    else if (isNext ? *m_taken < last : *m_taken > 0)
        take(isNext ? *m_taken + 1 : *m_taken - 1);
}

void ScatterPlot::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

void ScatterPlot::restyle()
{
    Plot::restyle();
    m_line->setPen(QPen(palette().color(QPalette::Mid), 1, Qt::DotLine));
    m_curve->setLineStyle(QCPCurve::lsNone);
    m_curve->setScatterStyle({QCPScatterStyle::ssDisc, curveColour(palette(), 0), 6});
    m_mark->setLineStyle(QCPCurve::lsNone);
    m_mark->setScatterStyle({QCPScatterStyle::ssCircle, palette().color(QPalette::Text), 12});
}

std::string ScatterPlot::csv() const
{
    std::string table =
        csvCell(xAxis->label().toStdString()) + "," + csvCell(yAxis->label().toStdString()) + "\n";
    for (const auto &dot : m_dots)
        table += QByteArray::number(dot.first, 'g', 17).toStdString() + ","
                 + QByteArray::number(dot.second, 'g', 17).toStdString() + "\n";
    return table;
}

} // namespace gridhelm::ui
