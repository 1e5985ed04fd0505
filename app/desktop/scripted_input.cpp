// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/scripted_input.h"

#include <QCoreApplication>
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

} // namespace gridhelm::desktop
