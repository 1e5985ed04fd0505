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
void typeKey(QWidget &widget, int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);

/// Where on a slider's track a place in [0, 1] is.
QPointF placeOnTrack(const QWidget &track, double place);

} // namespace gridhelm::desktop
