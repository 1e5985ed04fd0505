// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSocketNotifier>

#include <array>

namespace gridhelm::desktop {

/// SIGTERM, SIGINT and SIGHUP end the program as closing its windows does, so that runs end in
/// order and no temporary file stays; the second one ends it at once. Signals that the program was
/// told to ignore when it started stay ignored. One at a time, on the main thread.
class EndingSignals : public QObject
{
    Q_OBJECT

public:
    EndingSignals();
    ~EndingSignals() override;
    EndingSignals(const EndingSignals &) = delete;
    EndingSignals &operator=(const EndingSignals &) = delete;

signals:
    void endWanted();

private:
    std::array<int, 2> m_pipe{-1, -1};
    QSocketNotifier m_notifier;
};

} // namespace gridhelm::desktop
