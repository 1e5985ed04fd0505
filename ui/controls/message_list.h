// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QTreeWidget;

namespace gridhelm::ui {

class MessageHistory;

/// The history of messages in a window of its own: time, kind, sentence, the newest first; to be
/// copied. It follows what is said meanwhile.
class MessageList : public QDialog
{
    Q_OBJECT

public:
    /// The history has to outlive it.
    MessageList(MessageHistory &history, QWidget *parent);

private:
    void refresh();
    void copy();

    MessageHistory &m_history;
    QTreeWidget *m_list;
};

} // namespace gridhelm::ui
