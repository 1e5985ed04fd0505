// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/scripted_input.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QMouseEvent>

namespace gridhelm::desktop {
namespace {

void send(QWidget &widget, QEvent::Type type, QPointF at, Qt::MouseButton button,
          Qt::MouseButtons buttons)
{
    QMouseEvent event(type, at, widget.mapToGlobal(at), button, buttons, Qt::NoModifier);
    QCoreApplication::sendEvent(&widget, &event);
}

} // namespace

void press(QWidget &widget, QPointF at)
{
    send(widget, QEvent::MouseButtonPress, at, Qt::LeftButton, Qt::LeftButton);
}

void moveTo(QWidget &widget, QPointF at)
{
    send(widget, QEvent::MouseMove, at, Qt::NoButton, Qt::LeftButton);
}

void release(QWidget &widget, QPointF at)
{
    send(widget, QEvent::MouseButtonRelease, at, Qt::LeftButton, Qt::NoButton);
}

void typeKey(QWidget &widget, int key, Qt::KeyboardModifiers modifiers)
{
    QKeyEvent down(QEvent::KeyPress, key, modifiers), up(QEvent::KeyRelease, key, modifiers);
    QCoreApplication::sendEvent(&widget, &down);
    QCoreApplication::sendEvent(&widget, &up);
}

QPointF placeOnTrack(const QWidget &track, double place)
{
    constexpr double margin = 7; // the handle's radius
    return {margin + place * (track.width() - 2 * margin), track.height() / 2.0};
}

} // namespace gridhelm::desktop
