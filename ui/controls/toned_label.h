// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace gridhelm::ui {

/// Text in one of the theme's colours with a meaning (ui/controls/theme.h), whatever the theme is.
class TonedLabel : public QLabel
{
    Q_OBJECT

public:
    using Tone = QColor (*)(const QPalette &);

    explicit TonedLabel(Tone tone, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    void colour();

    Tone m_tone;
};

} // namespace gridhelm::ui
