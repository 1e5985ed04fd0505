// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <map>
#include <memory>
#include <mutex>
#include <optional>

class QSettings;

namespace gridhelm::ui {

class BackgroundThread;

/// How fast this machine's memory copies, measured once for each number of threads.
class MachineLimits : public QObject
{
    Q_OBJECT

public:
    explicit MachineLimits(QObject *parent = nullptr);
    ~MachineLimits() override;

    /// Bytes per second, read and written; nothing if it has not been measured.
    std::optional<double> copyRate(int threads) const;
    /// In a thread of its own, for a second or more; all memory channels are busy then.
    void measure(int threads);
    bool isMeasuring() const { return m_thread != nullptr; }

    /// Figures of another processor are not taken.
    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    void changed();
    void failed(const QString &sentence);

private:
    struct Result;

    void take();

    std::map<int, double> m_copyRates;
    int m_threads = 1;
    std::shared_ptr<Result> m_result;
    std::unique_ptr<BackgroundThread> m_thread;
};

} // namespace gridhelm::ui
