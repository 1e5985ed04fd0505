// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QPointer>

class QWidget;

namespace gridhelm::ui {

/// Letters and digits that choose an entry of the list or the box that has the focus, are no
/// shortcuts then: where an entry begins with one, and for what is typed right after it. Nor are
/// those that begin to edit a cell, and the space key where it presses a button or opens a box. One
/// object for a program.
class TypingKeys : public QObject
{
    Q_OBJECT

public:
    explicit TypingKeys(QObject *parent = nullptr);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void watch(QWidget *focused);

    QPointer<QWidget> m_watched;
    QElapsedTimer m_sinceTyping; ///< of the watched widget
};

} // namespace gridhelm::ui
