// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/focus_frame.h"

#include <QFocusEvent>
#include <QPainter>
#include <QPen>
#include <QWidget>

namespace gridhelm::ui {

void FocusFrame::enter(const QFocusEvent &event)
{
    m_isShown = event.reason() == Qt::TabFocusReason || event.reason() == Qt::BacktabFocusReason;
}

void FocusFrame::paint(QPainter &painter, const QWidget &around) const
{
    if (!m_isShown)
        return;
    painter.setPen(QPen(around.palette().color(QPalette::Highlight), 2));
    painter.drawRect(around.rect().adjusted(1, 1, -1, -1));
}

} // namespace gridhelm::ui
