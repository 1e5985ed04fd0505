// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QPushButton>

namespace gridhelm::ui {

/// A wide button with a title, some lines about it, and a picture where there is one. It is no
/// narrower than it likes: titles and lines end in dots.
class ChoiceButton : public QPushButton
{
public:
    /// Letters, not markup, and "&" is one. The picture is drawn with its device pixel ratio.
    ChoiceButton(const QString &title, const QString &about, const QPixmap &picture = {},
                 QWidget *parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QFont titleFont() const;
    QSize pictureSize() const;

    QString m_title, m_about;
    QPixmap m_picture;
};

} // namespace gridhelm::ui
