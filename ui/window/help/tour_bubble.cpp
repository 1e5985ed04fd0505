// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help/tour_bubble.h"

#include "ui/controls/plain_text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int arrowSize = 12, bubbleWidth = 320, cornerRadius = 8;

} // namespace

TourBubble::TourBubble(QWidget *window)
    : QWidget(window)
    , m_text(new PlainLabel(this))
    , m_progress(new PlainLabel(this))
    , m_next(new QPushButton(this))
{
    setObjectName("tour");
    setAccessibleName("Tour");
    m_text->setWordWrap(true);
    m_text->setForegroundRole(QPalette::HighlightedText);
    m_progress->setForegroundRole(QPalette::HighlightedText);
    m_next->setToolTip("Goes on with the tour (Enter)");
    m_next->setAutoDefault(true);
    m_next->setDefault(true);
    auto *skip = new QPushButton("&Skip", this);
    skip->setToolTip("Ends the tour (Esc); Help > Tour shows it again");
    skip->setAutoDefault(true);
    connect(m_next, &QPushButton::clicked, this, &TourBubble::nextWanted);
    connect(skip, &QPushButton::clicked, this, &TourBubble::skipWanted);
    auto *row = new QHBoxLayout;
    row->addWidget(m_progress);
    row->addStretch(1);
    row->addWidget(skip);
    row->addWidget(m_next);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(arrowSize + 12, arrowSize + 10, arrowSize + 12, arrowSize + 10);
    layout->addWidget(m_text);
    layout->addLayout(row);
    setFixedWidth(bubbleWidth + 2 * arrowSize);
    window->installEventFilter(this);
}

void TourBubble::say(const QString &sentence, const QString &progress, const QString &button,
                     QWidget *target)
{
    m_text->setText(sentence);
    m_text->setAccessibleName(sentence);
    m_progress->setText(progress);
    m_next->setText(button);
    m_target = target;
    place();
    show();
    raise();
    m_next->setFocus();
}

/// Below the target or above it, where there is more room, inside of the window; the arrow touches
/// the target's edge.
void TourBubble::place()
{
    if (!m_target)
        return;
    layout()->activate();
    setFixedHeight(heightForWidth(width()) > 0 ? heightForWidth(width()) : sizeHint().height());
    const auto *window = parentWidget();
    const QRect there(m_target->mapTo(window, QPoint()), m_target->size());
    const bool isBelow = window->height() - there.bottom() > there.top();
    int y = isBelow ? there.bottom() + 1 : there.top() - height();
    // A large target, a view: into its middle.
    if (y < 0 || y + height() > window->height())
        y = there.center().y();
    const int x =
        std::clamp(there.center().x() - width() / 2, 0, std::max(window->width() - width(), 0));
    y = std::clamp(y, 0, std::max(window->height() - height(), 0));
    move(x, y);
    const int tipX = std::clamp(there.center().x() - x, 3 * arrowSize, width() - 3 * arrowSize);
    m_tip = {tipX, isBelow || y == there.center().y() ? 0 : height()};
    update();
}

void TourBubble::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPainterPath shape;
    shape.addRoundedRect(QRectF(rect()).adjusted(arrowSize, arrowSize, -arrowSize, -arrowSize),
                         cornerRadius, cornerRadius);
    const double base = m_tip.y() == 0 ? arrowSize : height() - arrowSize;
    QPainterPath pointer;
    pointer.addPolygon(QPolygonF({QPointF(m_tip), QPointF(m_tip.x() - arrowSize, base),
                                  QPointF(m_tip.x() + arrowSize, base), QPointF(m_tip)}));
    painter.fillPath(shape.united(pointer), palette().color(QPalette::Highlight));
}

void TourBubble::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        emit skipWanted();
    else
        QWidget::keyPressEvent(event);
}

bool TourBubble::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::Resize && watched == parentWidget() && isVisible())
        QMetaObject::invokeMethod(this, &TourBubble::place, Qt::QueuedConnection); // laid out then
    return QWidget::eventFilter(watched, event);
}

} // namespace gridhelm::ui
