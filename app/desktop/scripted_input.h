// SPDX-License-Identifier: GPL-3.0-or-later
//
// A hand that is a program: events as the window system would send them.
#pragma once

#include <QPointF>
#include <QWidget>

namespace gridhelm::desktop {

void press(QWidget &widget, QPointF at);
void moveTo(QWidget &widget, QPointF at);
void release(QWidget &widget, QPointF at);

} // namespace gridhelm::desktop
