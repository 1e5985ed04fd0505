// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/toned_label.h"

#include <QApplication>
#include <QEvent>

namespace gridhelm::ui {

TonedLabel::TonedLabel(Tone tone, QWidget *parent)
    : QLabel(parent)
    , m_tone(tone)
{
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    colour();
}

void TonedLabel::changeEvent(QEvent *event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colour();
}

void TonedLabel::colour()
{
    const auto wanted = m_tone(QApplication::palette());
    if (palette().color(QPalette::WindowText) == wanted)
        return; // also the end of the change that this makes
    QPalette own;
    own.setColor(QPalette::WindowText, wanted);
    setPalette(own);
}

} // namespace gridhelm::ui
