// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"

#include <QObject>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

class QSettings;

namespace gridhelm::ui {

class BackgroundThread;

/// How fast this machine reads and copies memory, and computes: measured once for each number of
/// threads.
class MachineLimits : public QObject
{
    Q_OBJECT

public:
    explicit MachineLimits(QObject *parent = nullptr);
    ~MachineLimits() override;

    /// Bytes per second, read and written; nothing if it has not been measured.
    std::optional<double> copyRate(const CpuDevice &cpu) const;
    /// Bytes per second of a program that only reads.
    std::optional<double> readRate(const CpuDevice &cpu) const;
    /// Operations per second in single precision, see measurePeakFlops().
    std::optional<double> peakFlops(const CpuDevice &cpu) const;
    /// All of them, in a thread of its own, for some seconds (the larger the caches, the longer);
    /// all memory channels are busy then.
    void measure(const CpuDevice &cpu);
    bool isMeasuring() const { return m_thread != nullptr; }
    /// On the button that measures: how long that takes, or that it is being done.
    QString measureText() const;

    /// Figures of another CPU are not taken.
    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    void changed();
    void failed(const QString &sentence);

private:
    /// Per second; 0: not measured.
    struct Rates
    {
        double copy = 0;
        double read = 0;
        double flops = 0;
    };
    struct Result;
    static const std::array<std::pair<const char *, double Rates::*>, 3> kept;

    std::optional<double> rate(const CpuDevice &cpu, double Rates::*which) const;
    void take();

    std::map<int, Rates> m_rates; ///< of threads
    CpuDevice m_cpu;              ///< being measured
    std::shared_ptr<Result> m_result;
    std::unique_ptr<BackgroundThread> m_thread;
};

} // namespace gridhelm::ui
