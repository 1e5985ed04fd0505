// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/shortened_label.h"

#include <QPainter>
#include <QStyle>

namespace gridhelm::ui {

ShortenedLabel::ShortenedLabel(QWidget *parent)
    : PlainLabel(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ShortenedLabel::setWhole(const QString &text, const QString &more)
{
    setText(text);
    setToolTip(plainTip(more.isEmpty() ? text : text + "\n" + more));
}

QSize ShortenedLabel::minimumSizeHint() const
{
    return {0, PlainLabel::minimumSizeHint().height()};
}

void ShortenedLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const auto shown = fontMetrics().elidedText(text(), Qt::ElideRight, width());
    style()->drawItemText(&painter, rect(), Qt::AlignLeft | Qt::AlignVCenter, palette(),
                          isEnabled(), shown, foregroundRole());
}

} // namespace gridhelm::ui
