// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkCamera.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QRectF>
#include <QWheelEvent>

#include <functional>

namespace gridhelm::ui {

/// What mouse, wheel and keys over a picture do to its camera. `field`: where the field is in the
/// widget, in its pixels.
class CameraHand
{
public:
    /// Of a camera; empty: none.
    using Move = std::function<void(vtkCamera &)>;

    void press(const QMouseEvent &event);
    /// The left button turns (moves, where it is seen straight), the middle one or Shift moves, the
    /// right one zooms.
    Move drag(const QMouseEvent &event, const QRectF &field);
    /// Whether nothing has been moved since the button was pressed.
    bool isClick() const { return !m_hasMoved; }

    /// Zooms.
    static Move turnWheel(const QWheelEvent &event, const QRectF &field);
    /// Plus and minus zoom, arrows turn or move.
    static Move pressKey(const QKeyEvent &event, const QRectF &field);

private:
    QPointF m_pressedAt, m_lastAt;
    bool m_hasMoved = false;
};

} // namespace gridhelm::ui
