// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/quiet_label.h"

#include "ui/controls/theme.h"

#include <QEvent>

namespace gridhelm::ui {

QuietLabel::QuietLabel(const QString &text, QWidget *parent)
    : QLabel(text, parent)
{
    setWordWrap(true);
    colour();
}

void QuietLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::ApplicationPaletteChange || event->type() == QEvent::ParentChange)
        colour();
}

void QuietLabel::colour()
{
    QPalette own; // the application's
    own.setColor(QPalette::WindowText, quietTextColour(own));
    setPalette(own);
}

} // namespace gridhelm::ui
