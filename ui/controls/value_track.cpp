// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/value_track.h"

#include "ui/controls/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace gridhelm::ui {
namespace {

constexpr double handleRadius = 7;
constexpr double grooveHeight = 6;
constexpr double tintHeight = 4;

int positionOf(double place)
{
    return static_cast<int>(std::lround(place * ValueTrack::steps));
}

} // namespace

QColor tintColour(const QPalette &palette, double strength)
{
    // One hue from the window's colour on: what is stronger is never the lighter one (in the dark,
    // the darker one).
    auto colour = warningColour(palette);
    colour.setAlphaF(static_cast<float>(std::clamp(strength, 0.0, 1.0)));
    return colour;
}

ValueTrack::ValueTrack(QWidget *parent)
    : QSlider(Qt::Horizontal, parent)
{
    setRange(0, steps);
    setSingleStep(steps / 100);
    setPageStep(steps / 10);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ValueTrack::setMarks(std::vector<double> marks)
{
    std::ranges::sort(marks);
    m_marks = std::move(marks);
    update();
}

void ValueTrack::setTint(Tint tint)
{
    m_tint = std::move(tint);
    update();
}

QSize ValueTrack::sizeHint() const
{
    return {160, 26};
}

QRectF ValueTrack::groove() const
{
    return {handleRadius, height() / 2.0 - grooveHeight / 2 - 2, width() - 2 * handleRadius,
            grooveHeight};
}

QPointF ValueTrack::handleAt(double place) const
{
    const auto line = groove();
    return {line.left() + line.width() * place, line.center().y()};
}

void ValueTrack::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto line = groove();
    const auto colours = palette();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colours.color(QPalette::Mid));
    painter.drawRoundedRect(line, 3, 3);
    const double place = static_cast<double>(value()) / steps;
    const bool isOn = isEnabled();
    auto done = line;
    done.setWidth(line.width() * place);
    painter.setBrush(isOn ? accentColour(colours) : colours.color(QPalette::Dark));
    painter.drawRoundedRect(done, 3, 3);
    paintTint(painter);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(quietTextColour(colours));
    for (const double mark : m_marks) {
        const double x = line.left() + line.width() * mark;
        painter.drawLine(QPointF(x, line.bottom() + 4), QPointF(x, line.bottom() + 8));
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? accentColour(colours) : colours.color(QPalette::Dark),
                        hasFocus() ? 2 : 1));
    painter.setBrush(colours.color(isOn ? QPalette::Button : QPalette::Window));
    painter.drawEllipse(handleAt(place), handleRadius - 1, handleRadius - 1);
}

void ValueTrack::paintTint(QPainter &painter) const
{
    const auto line = groove();
    const auto count = static_cast<double>(m_tint.strengths.size());
    painter.setRenderHint(QPainter::Antialiasing, false); // parts that touch leave no seams
    for (std::size_t i = 0; i < m_tint.strengths.size(); ++i) {
        auto colour = tintColour(palette(), m_tint.strengths[i]);
        if (m_tint.isStale)
            colour.setAlphaF(colour.alphaF() * 0.35F);
        const auto from = std::round(line.left() + line.width() * static_cast<double>(i) / count);
        const auto to = std::round(line.left() + line.width() * static_cast<double>(i + 1) / count);
        painter.fillRect(QRectF(from, std::round(line.bottom()) + 1, to - from, tintHeight),
                         colour);
    }
}

bool ValueTrack::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || m_tint.tips.isEmpty() || m_tint.isStale)
        return QSlider::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto count = static_cast<int>(m_tint.tips.size());
    const int part = std::min(static_cast<int>(placeAt(help->pos().x()) * count), count - 1);
    QToolTip::showText(help->globalPos(), m_tint.tips[part] + "\n" + toolTip(), this);
    return true;
}

int ValueTrack::nearestMark(int position) const
{
    int nearest = position, distance = steps + 1;
    for (const double mark : m_marks) {
        const int at = positionOf(mark);
        if (std::abs(at - position) < distance) {
            nearest = at;
            distance = std::abs(at - position);
        }
    }
    return nearest;
}

int ValueTrack::nextMark(int direction) const
{
    int next = direction > 0 ? maximum() : minimum();
    for (const double mark : m_marks) {
        const int at = positionOf(mark);
        if (direction > 0 && at > value())
            next = std::min(next, at);
        if (direction < 0 && at < value())
            next = std::max(next, at);
    }
    return next;
}

double ValueTrack::placeAt(double x) const
{
    const auto line = groove();
    return std::clamp((x - line.left()) / std::max(line.width(), 1.0), 0.0, 1.0);
}

void ValueTrack::goTo(double x, Qt::KeyboardModifiers modifiers)
{
    const int position = positionOf(placeAt(x));
    setSliderPosition(modifiers & Qt::ControlModifier ? nearestMark(position) : position);
}

void ValueTrack::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    setSliderDown(true);
    goTo(event->position().x(), event->modifiers());
}

void ValueTrack::mouseMoveEvent(QMouseEvent *event)
{
    if (isSliderDown())
        goTo(event->position().x(), event->modifiers());
}

void ValueTrack::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !isSliderDown())
        return;
    goTo(event->position().x(), event->modifiers());
    setSliderDown(false);
}

void ValueTrack::mouseDoubleClickEvent(QMouseEvent *event)
{
    const auto handle = handleAt(static_cast<double>(value()) / steps);
    const auto away = event->position() - handle;
    if (event->button() == Qt::LeftButton && std::hypot(away.x(), away.y()) <= 2 * handleRadius)
        emit resetWanted();
    else
        mousePressEvent(event); // two quick clicks are two
}

void ValueTrack::step(int direction, Qt::KeyboardModifiers modifiers)
{
    if ((modifiers & Qt::ControlModifier) && !m_marks.empty()) {
        setSliderPosition(nextMark(direction));
        return;
    }
    const int size = modifiers & Qt::ShiftModifier ? steps / 10
                     : modifiers & Qt::AltModifier ? steps / 1000
                                                   : steps / 100;
    setSliderPosition(sliderPosition() + direction * size);
}

void ValueTrack::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        step(-1, event->modifiers());
        break;
    case Qt::Key_Right:
    case Qt::Key_Up:
        step(1, event->modifiers());
        break;
    default:
        QSlider::keyPressEvent(event);
    }
}

void ValueTrack::wheelEvent(QWheelEvent *event)
{
    // Turning over a panel that scrolls must not change what is shown; whoever means it clicks
    // first.
    if (!hasFocus()) {
        event->ignore();
        return;
    }
    constexpr int ofOneStep = 120;
    const auto turned = event->angleDelta();
    m_wheel += turned.y() != 0 ? turned.y() : turned.x(); // with Alt it comes as x
    for (; std::abs(m_wheel) >= ofOneStep; m_wheel -= m_wheel > 0 ? ofOneStep : -ofOneStep)
        step(m_wheel > 0 ? 1 : -1, event->modifiers());
    event->accept();
}

} // namespace gridhelm::ui
