// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

class QLabel;
class QPushButton;

namespace gridhelm::ui {

/// A sentence in a bubble that points at a widget of its window, with the buttons Next and Skip. It
/// takes no key from the window but Escape, and only while it has the focus.
class TourBubble : public QWidget
{
    Q_OBJECT

public:
    explicit TourBubble(QWidget *window);

    /// `button`: what the button says that goes on.
    void say(const QString &sentence, const QString &progress, const QString &button,
             QWidget *target);

signals:
    void nextWanted();
    void skipWanted();

protected:
    void paintEvent(QPaintEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();

    QLabel *m_text, *m_progress;
    QPushButton *m_next;
    QPointer<QWidget> m_target;
    QPoint m_tip; ///< what the arrow points at, in its own coordinates
};

} // namespace gridhelm::ui
