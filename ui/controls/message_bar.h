// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/message_history.h"

#include <QList>
#include <QWidget>

class QDialog;
class QLabel;
class QToolButton;

namespace gridhelm::ui {

/// Sentences for the user, above what they are about: never in the way, the newest one in a line,
/// with a button that says how many others hold as well and one that closes it. Each is there
/// until it is closed, or takes its time, or many newer ones have come; the history keeps it.
class MessageBar : public QWidget
{
    Q_OBJECT

public:
    /// News go by themselves after a while, the others stay.
    using Kind = MessageKind;
    static constexpr int maxMessages = 20;

    explicit MessageBar(QWidget *parent = nullptr);

    /// A sentence that is there already is not said twice.
    void say(Kind kind, const QString &sentence);
    /// A sentence that is not true any more; nothing if it is not there.
    void retract(const QString &sentence);
    void clear();
    /// Those that are there, the oldest first; the last one is shown.
    QStringList sentences() const;
    /// Of these, the errors.
    QStringList errors() const;
    MessageHistory &history() { return m_history; }

    /// All that was said, in a window of its own.
    void showHistory();

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    struct Message
    {
        Kind kind;
        QString sentence;
        int number; ///< another one for each, also of the same sentence
    };

    void showNewest();
    void closeNewest();

    QList<Message> m_messages;
    int m_said = 0; ///< so many so far
    MessageHistory m_history;
    QLabel *m_text;
    QToolButton *m_others;
    QDialog *m_list = nullptr; ///< before it is wanted for the first time
};

} // namespace gridhelm::ui
