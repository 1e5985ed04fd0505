// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/machine/background_thread.h"

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

namespace gridhelm::ui {

/// One long question at a time, answered in a thread that nobody waits for. A new one takes the
/// place of the one before. Lives in a thread with an event loop, where everything is said.
class BackgroundAnswer : public QObject
{
    Q_OBJECT

public:
    /// Called in the thread; returns what is to be done with the result, which is called here
    /// unless it was cancelled meanwhile. What it uses must belong to it. It may throw.
    using Work = std::function<std::function<void()>(const std::stop_token &)>;

    explicit BackgroundAnswer(QObject *parent = nullptr);
    ~BackgroundAnswer() override;

    void start(Work work);
    /// Says nothing more; work that does not look at its stop token ends by itself.
    void cancel();
    bool isRunning() const { return m_isRunning; }

signals:
    void runningChanged(bool isRunning);
    void failed(const QString &sentence);

private:
    void setRunning(bool isRunning);
    void end(std::uint64_t number, const std::function<void()> &answer, const QString &problem);

    std::uint64_t m_number = 0;
    bool m_isRunning = false;
    std::unique_ptr<BackgroundThread> m_thread;
};

} // namespace gridhelm::ui
