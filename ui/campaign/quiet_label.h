// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace gridhelm::ui {

/// Text that explains, in the theme's quiet colour.
class QuietLabel : public QLabel
{
    Q_OBJECT

public:
    explicit QuietLabel(const QString &text, QWidget *parent = nullptr);

protected:
    void changeEvent(QEvent *event) override;

private:
    void colour();
};

} // namespace gridhelm::ui
