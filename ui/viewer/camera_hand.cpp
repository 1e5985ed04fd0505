// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/camera_hand.h"

#include "ui/viewer/camera_control.h"

#include <cmath>

namespace gridhelm::ui {
namespace {

constexpr double clickPixels = 4; ///< less of a movement is a click

CameraHand::Move zoomAt(QPointF at, double factor, const QRectF &field)
{
    return [=](vtkCamera &camera) { zoom(camera, factor, at - field.topLeft(), field.size()); };
}

CameraHand::Move moveBy(QPointF by, bool shifts, const QRectF &field)
{
    return [=](vtkCamera &camera) {
        if (shifts || camera.GetParallelProjection())
            pan(camera, by, field.size());
        else
            rotate(camera, by, field.size());
    };
}

} // namespace

void CameraHand::press(const QMouseEvent &event)
{
    m_pressedAt = m_lastAt = event.position();
    m_hasMoved = false;
}

CameraHand::Move CameraHand::drag(const QMouseEvent &event, const QRectF &field)
{
    if (event.buttons() == Qt::NoButton)
        return {};
    const auto at = event.position();
    if (!m_hasMoved && (at - m_pressedAt).manhattanLength() < clickPixels)
        return {};
    m_hasMoved = true;
    const auto by = at - m_lastAt;
    m_lastAt = at;
    if (event.buttons() & Qt::RightButton)
        return zoomAt(m_pressedAt, std::exp(-0.01 * by.y()), field);
    const bool shifts = event.buttons() & Qt::MiddleButton || event.modifiers() & Qt::ShiftModifier;
    return moveBy(by, shifts, field);
}

CameraHand::Move CameraHand::turnWheel(const QWheelEvent &event, const QRectF &field)
{
    return zoomAt(event.position(), std::pow(1.0015, event.angleDelta().y()), field);
}

CameraHand::Move CameraHand::pressKey(const QKeyEvent &event, const QRectF &field)
{
    constexpr double nearer = 1.2;
    const double step = 0.1 * field.width();
    const auto arrow = [&](QPointF by) {
        return moveBy(by, bool(event.modifiers() & Qt::ShiftModifier), field);
    };
    switch (event.key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomAt(field.center(), nearer, field);
    case Qt::Key_Minus:
        return zoomAt(field.center(), 1 / nearer, field);
    case Qt::Key_Left:
        return arrow({step, 0});
    case Qt::Key_Right:
        return arrow({-step, 0});
    case Qt::Key_Up:
        return arrow({0, step});
    case Qt::Key_Down:
        return arrow({0, -step});
    default:
        return {};
    }
}

} // namespace gridhelm::ui
