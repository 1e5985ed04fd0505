// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/parallel_plot.h"

#include "ui/controls/plain_text.h"
#include "ui/plot/save_menu.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::ui {
namespace {

constexpr double nearEnough = 12; ///< pixels from a click to the line or axis that it means
constexpr double dragBegins = 4;  ///< pixels
constexpr auto standingLayer = "standing";

double distanceToSegment(const QPointF &at, const QPointF &a, const QPointF &b)
{
    const auto along = b - a;
    const double length = QPointF::dotProduct(along, along);
    const double t =
        length > 0 ? std::clamp(QPointF::dotProduct(at - a, along) / length, 0.0, 1.0) : 0;
    const auto away = at - (a + t * along);
    return std::hypot(away.x(), away.y());
}

} // namespace

ParallelPlot::ParallelPlot(std::function<std::string()> csv, QWidget *parent)
    : Plot(parent)
    , m_back(new QCPCurve(xAxis, yAxis))
    , m_front(new QCPCurve(xAxis, yAxis))
{
    setInteractions({});
    setFocusPolicy(Qt::StrongFocus);
    yAxis->setVisible(false);
    yAxis->setRange(-0.16, 1.16); // with room for the numbers at the ends
    xAxis->grid()->setVisible(false);
    xAxis->setSubTicks(false);
    xAxis->setTickLength(0);
    // What moves with the sliders is drawn by itself: there may be thousands of runs.
    addLayer(standingLayer);
    layer(standingLayer)->setMode(QCPLayer::lmBuffered);
    m_mark = new QCPCurve(xAxis, yAxis);
    m_mark->setLayer(standingLayer);
    auto *menu = new SaveMenu("states", {this}, std::move(csv), this);
    menu->openOn(*this, [this] { return !m_lines.empty(); });
    connect(menu, &SaveMenu::news, this, &ParallelPlot::news);
    connect(menu, &SaveMenu::failed, this, &ParallelPlot::failed);
    restyle();
}

void ParallelPlot::show(std::vector<Axis> axes, std::vector<Line> lines)
{
    const bool areOthers = !std::ranges::equal(
        axes, m_axes, [](const Axis &a, const Axis &b) { return a.name == b.name; });
    m_axes = std::move(axes);
    m_lines = std::move(lines);
    m_taken.reset();
    m_dragged.reset();
    if (areOthers)
        m_chosen.assign(m_axes.size(), std::nullopt);
    drawAxes();
    drawLines();
    drawStanding();
    drawChosen();
    replot(rpQueuedReplot);
}

void ParallelPlot::setLine(std::size_t line, Line now)
{
    m_lines.at(line) = std::move(now);
    replotStanding();
}

void ParallelPlot::setTaken(std::optional<std::size_t> line)
{
    if (line == m_taken)
        return;
    m_taken = line;
    replotStanding();
}

void ParallelPlot::replotStanding()
{
    drawStanding();
    if (isVisible())
        layer(standingLayer)->replot();
}

void ParallelPlot::showEvent(QShowEvent *event)
{
    Plot::showEvent(event);
    replot(rpQueuedReplot);
}

double ParallelPlot::shareOf(std::size_t axis, double value) const
{
    const auto &[name, low, high, isLogarithmic] = m_axes[axis];
    if (high <= low)
        return 0.5;
    if (isLogarithmic && low > 0)
        return value > 0 ? std::log(value / low) / std::log(high / low)
                         : std::numeric_limits<double>::quiet_NaN();
    return (value - low) / (high - low);
}

bool ParallelPlot::isChosen(const std::vector<double> &values) const
{
    for (std::size_t a = 0; a < std::min(values.size(), m_chosen.size()); ++a) {
        if (!m_chosen[a])
            continue;
        const double share = shareOf(a, values[a]);
        if (!(share >= m_chosen[a]->first && share <= m_chosen[a]->second))
            return false;
    }
    return true;
}

void ParallelPlot::choose(std::size_t axis, const Part &shares)
{
    if (m_chosen.at(axis) == shares)
        return;
    m_chosen[axis] = shares;
    drawLines();
    drawChosen();
    replot(rpQueuedReplot);
    emit chosenChanged();
}

void ParallelPlot::addTo(QCPCurve &curve, const Line &line) const
{
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    for (std::size_t a = 0; a < std::min(line.values.size(), m_axes.size()); ++a)
        curve.addData(static_cast<double>(a), shareOf(a, line.values[a]));
    curve.addData(gap, gap);
}

void ParallelPlot::drawAxes()
{
    for (auto *item : std::exchange(m_items, {}))
        removeItem(item);
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    const auto textColour = palette().color(QPalette::Text);
    for (std::size_t a = 0; a < m_axes.size(); ++a) {
        const auto at = static_cast<double>(a);
        ticker->addTick(at, cleanLine(m_axes[a].name));
        auto *line = new QCPItemLine(this);
        line->start->setCoords(at, 0);
        line->end->setCoords(at, 1);
        line->setPen(QPen(textColour, 1));
        m_items.push_back(line);
        for (const bool isHigh : {false, true}) {
            auto *end = new QCPItemText(this);
            end->setText(QString::number(isHigh ? m_axes[a].high : m_axes[a].low, 'g', 4));
            end->setColor(textColour);
            end->setFont(xAxis->tickLabelFont());
            end->setPositionAlignment(Qt::AlignHCenter | (isHigh ? Qt::AlignBottom : Qt::AlignTop));
            end->position->setCoords(at, isHigh ? 1.01 : -0.01);
            m_items.push_back(end);
        }
    }
    xAxis->setTicker(ticker);
    const double last = m_axes.empty() ? 1 : static_cast<double>(m_axes.size() - 1);
    xAxis->setRange(-0.35, last + 0.35);
}

void ParallelPlot::drawLines()
{
    m_back->data()->clear();
    m_front->data()->clear();
    for (const auto &line : m_lines)
        if (!line.stands)
            addTo(isChosen(line.values) ? *m_front : *m_back, line);
}

void ParallelPlot::drawStanding()
{
    std::size_t next = 0;
    for (const auto &line : m_lines) {
        if (!line.stands)
            continue;
        if (next == m_standing.size()) {
            m_standing.push_back(new QCPCurve(xAxis, yAxis));
            m_standing.back()->setLayer(standingLayer);
        }
        auto &curve = *m_standing[next];
        curve.setPen(QPen(curveColour(palette(), static_cast<int>(next)), 2));
        curve.data()->clear();
        addTo(curve, line);
        ++next;
    }
    for (; next < m_standing.size(); ++next)
        m_standing[next]->data()->clear();
    m_mark->data()->clear();
    if (m_taken)
        addTo(*m_mark, m_lines.at(*m_taken));
}

void ParallelPlot::drawChosen()
{
    for (auto *part : std::exchange(m_parts, {}))
        removeItem(part);
    auto colour = palette().color(QPalette::Highlight);
    for (std::size_t a = 0; a < m_chosen.size(); ++a) {
        if (!m_chosen[a])
            continue;
        auto *part = new QCPItemRect(this);
        part->topLeft->setCoords(static_cast<double>(a) - 0.06, m_chosen[a]->second);
        part->bottomRight->setCoords(static_cast<double>(a) + 0.06, m_chosen[a]->first);
        part->setPen(colour);
        auto inside = colour;
        inside.setAlpha(80);
        part->setBrush(inside);
        m_parts.push_back(part);
    }
}

std::optional<std::size_t> ParallelPlot::axisAt(const QPointF &at) const
{
    if (m_axes.empty())
        return std::nullopt;
    const auto last = static_cast<double>(m_axes.size() - 1);
    const double axis = std::clamp(std::round(xAxis->pixelToCoord(at.x())), 0.0, last);
    if (std::abs(xAxis->coordToPixel(axis) - at.x()) > nearEnough)
        return std::nullopt;
    return static_cast<std::size_t>(axis);
}

std::optional<std::size_t> ParallelPlot::lineAt(const QPointF &at) const
{
    const double x = xAxis->pixelToCoord(at.x());
    if (m_axes.size() < 2 || x < 0 || x > static_cast<double>(m_axes.size() - 1))
        return std::nullopt;
    const auto left = std::min(static_cast<std::size_t>(x), m_axes.size() - 2);
    const auto point = [&](const Line &line, std::size_t axis) {
        return QPointF(xAxis->coordToPixel(static_cast<double>(axis)),
                       yAxis->coordToPixel(shareOf(axis, line.values[axis])));
    };
    std::optional<std::size_t> nearest;
    double least = nearEnough;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        if (m_lines[i].values.size() < m_axes.size() || !isChosen(m_lines[i].values))
            continue;
        const double away =
            distanceToSegment(at, point(m_lines[i], left), point(m_lines[i], left + 1));
        if (away < least) { // NaN is not
            least = away;
            nearest = i;
        }
    }
    return nearest;
}

void ParallelPlot::mousePressEvent(QMouseEvent *event)
{
    Plot::mousePressEvent(event);
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->position();
    m_dragged = axisAt(m_pressed);
    m_from = std::clamp(yAxis->pixelToCoord(m_pressed.y()), 0.0, 1.0);
}

void ParallelPlot::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_dragged || std::abs(event->position().y() - m_pressed.y()) < dragBegins)
        return;
    const double to = std::clamp(yAxis->pixelToCoord(event->position().y()), 0.0, 1.0);
    choose(*m_dragged, std::pair(std::min(m_from, to), std::max(m_from, to)));
}

void ParallelPlot::mouseReleaseEvent(QMouseEvent *event)
{
    Plot::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton)
        return;
    const auto axis = std::exchange(m_dragged, std::nullopt);
    const auto moved = event->position() - m_pressed;
    if (std::hypot(moved.x(), moved.y()) >= dragBegins)
        return;
    if (axis && m_chosen[*axis])
        choose(*axis, std::nullopt);
    else if (const auto line = lineAt(event->position()))
        emit picked(*line);
}

void ParallelPlot::keyPressEvent(QKeyEvent *event)
{
    if (event->key() != Qt::Key_Escape || std::ranges::none_of(m_chosen, &Part::has_value)) {
        Plot::keyPressEvent(event);
        return;
    }
    for (std::size_t a = 0; a < m_chosen.size(); ++a)
        choose(a, std::nullopt);
}

void ParallelPlot::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

void ParallelPlot::restyle()
{
    Plot::restyle();
    const auto text = palette().color(QPalette::Text);
    auto back = text, front = text;
    back.setAlpha(18);
    front.setAlpha(70);
    xAxis->setBasePen(Qt::NoPen);
    m_back->setPen(QPen(back, 1));
    m_front->setPen(QPen(front, 1));
    m_mark->setPen(QPen(text, 3));
    drawAxes();
    drawStanding();
    drawChosen();
}

} // namespace gridhelm::ui
