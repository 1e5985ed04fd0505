// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/machine/background_thread.h"

#include <QObject>
#include <QString>

#include <memory>

namespace gridhelm::ui {

class MessageBar;

/// Copies the open study, also while a campaign writes it: in the background, one copy at a time.
class StudyCopying : public QObject
{
    Q_OBJECT

public:
    /// `messages` must outlive it.
    StudyCopying(MessageBar &messages, QObject *parent);
    /// A copy that is not whole goes away.
    ~StudyCopying() override;

    /// Asks where to, unless a copy is being made.
    void ask(QWidget &parent, const QString &study);
    void start(const QString &study, const QString &copy);

signals:
    /// `problem` is empty if there is a copy.
    void ended(const QString &problem);

private:
    void say(const QString &copy, const QString &problem);

    MessageBar &m_messages;
    std::unique_ptr<BackgroundThread> m_thread;
};

} // namespace gridhelm::ui
