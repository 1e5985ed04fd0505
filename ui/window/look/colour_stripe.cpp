// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/look/colour_stripe.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int margin = 8, stripeHeight = 28, handleSize = 6;

} // namespace

ColourStripe::ColourStripe(QWidget *parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName("Colours and their positions");
    setToolTip("Drag a handle to move its colour, double-click for another one; the arrow keys "
               "choose a handle, Delete removes it");
    setMinimumSize(QSize(160, sizeHint().height()));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize ColourStripe::sizeHint() const
{
    return {360, stripeHeight + 3 * handleSize};
}

void ColourStripe::setColours(SharedColourMap map)
{
    m_map = std::move(map);
    m_chosen = std::min(m_chosen, m_map->nodes.size() - 1);
    update();
}

void ColourStripe::setChosen(std::size_t node)
{
    m_chosen = node;
    update();
}

double ColourStripe::xOf(double place) const
{
    return margin + place * (width() - 2.0 * margin);
}

double ColourStripe::placeAt(double x) const
{
    return std::clamp((x - margin) / (width() - 2.0 * margin), 0.0, 1.0);
}

/// The nearest one that the hand can mean; of several at one place the last.
std::optional<std::size_t> ColourStripe::nodeAt(double x) const
{
    std::optional<std::size_t> nearest;
    double least = 1.5 * handleSize;
    for (std::size_t i = 0; m_map && i < m_map->nodes.size(); ++i) {
        const double away = std::abs(xOf(m_map->nodes[i].place) - x);
        if (away <= least) {
            least = away;
            nearest = i;
        }
    }
    return nearest;
}

void ColourStripe::choose(std::size_t node)
{
    setChosen(node);
    emit nodeChosen(node);
}

void ColourStripe::paintEvent(QPaintEvent *)
{
    if (!m_map)
        return;
    QPainter painter(this);
    for (int x = margin; x < width() - margin; ++x) {
        const auto colour = colourOf(*m_map, placeAt(x + 0.5));
        painter.fillRect(x, 0, 1, stripeHeight, QColor(colour[0], colour[1], colour[2]));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_map->nodes.size(); ++i) {
        const auto &node = m_map->nodes[i];
        const double x = xOf(node.place), top = stripeHeight + 1;
        const bool isChosen = i == m_chosen;
        painter.setPen(QPen(palette().color(isChosen ? QPalette::Highlight : QPalette::WindowText),
                            isChosen && hasFocus() ? 2.5 : 1.2));
        painter.setBrush(QColor(node.colour[0], node.colour[1], node.colour[2]));
        painter.drawPolygon(QPolygonF({{x, top},
                                       {x + handleSize, top + 2 * handleSize},
                                       {x - handleSize, top + 2 * handleSize}}));
    }
}

void ColourStripe::mousePressEvent(QMouseEvent *event)
{
    const auto node = nodeAt(event->position().x());
    m_isDragging = node.has_value();
    if (node)
        choose(*node);
}

void ColourStripe::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_isDragging || m_chosen == 0 || m_chosen + 1 >= m_map->nodes.size())
        return;
    emit nodeMoved(m_chosen,
                   std::clamp(placeAt(event->position().x()), m_map->nodes[m_chosen - 1].place,
                              m_map->nodes[m_chosen + 1].place));
}

void ColourStripe::mouseDoubleClickEvent(QMouseEvent *event)
{
    m_isDragging = false;
    if (!nodeAt(event->position().x()))
        emit nodeWanted(placeAt(event->position().x()));
}

void ColourStripe::keyPressEvent(QKeyEvent *event)
{
    const auto last = m_map ? m_map->nodes.size() - 1 : 0;
    if (event->key() == Qt::Key_Left && m_chosen > 0)
        choose(m_chosen - 1);
    else if (event->key() == Qt::Key_Right && m_chosen < last)
        choose(m_chosen + 1);
    else if (event->key() == Qt::Key_Delete || event->key() == Qt::Key_Backspace)
        emit removalWanted();
    else
        QWidget::keyPressEvent(event);
}

} // namespace gridhelm::ui
