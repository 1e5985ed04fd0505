// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/machine_limits.h"

#include "core/support/memory_bandwidth.h"
#include "core/support/system_info.h"
#include "ui/solve/background_thread.h"

#include <QSettings>

#include <string>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr const char *group = "machine";

} // namespace

struct MachineLimits::Result
{
    std::mutex mutex;
    MachineLimits *listener = nullptr; ///< null when it is gone
    double copyRate = 0;
    std::string failure;
};

MachineLimits::MachineLimits(QObject *parent)
    : QObject(parent)
{
}

MachineLimits::~MachineLimits()
{
    if (!m_result)
        return;
    const std::lock_guard lock(m_result->mutex);
    m_result->listener = nullptr;
}

std::optional<double> MachineLimits::copyRate(int threads) const
{
    const auto found = m_copyRates.find(threads);
    return found == m_copyRates.end() ? std::nullopt : std::optional(found->second);
}

void MachineLimits::measure(int threads)
{
    if (isMeasuring())
        return;
    m_threads = threads;
    m_result = std::make_shared<Result>();
    m_result->listener = this;
    m_thread = std::make_unique<BackgroundThread>([result = m_result, threads](std::stop_token) {
        double rate = 0;
        std::string failure;
        try {
            rate = measureMemoryBandwidth(threads).copy;
        } catch (const std::exception &) {
            failure = "the memory could not be measured, because too little of it is free: close "
                      "other programs";
        }
        const std::lock_guard lock(result->mutex);
        result->copyRate = rate;
        result->failure = failure;
        if (result->listener)
            QMetaObject::invokeMethod(result->listener, &MachineLimits::take, Qt::QueuedConnection);
    });
    emit changed();
}

void MachineLimits::take()
{
    m_thread.reset();
    const auto result = std::exchange(m_result, nullptr);
    if (result->failure.empty())
        m_copyRates[m_threads] = result->copyRate;
    else
        emit failed(QString::fromStdString(result->failure));
    emit changed();
}

void MachineLimits::saveState(QSettings &settings) const
{
    settings.beginGroup(group);
    settings.setValue("processor", QString::fromStdString(querySystemInfo().cpuName));
    for (const auto &[threads, rate] : m_copyRates)
        settings.setValue(QString("copy-%1").arg(threads), rate);
    settings.endGroup();
}

void MachineLimits::restoreState(QSettings &settings)
{
    settings.beginGroup(group);
    if (settings.value("processor").toString()
        == QString::fromStdString(querySystemInfo().cpuName)) {
        for (const auto &key : settings.childKeys()) {
            const double rate = settings.value(key).toDouble();
            if (key.startsWith("copy-") && rate > 0)
                m_copyRates[key.mid(5).toInt()] = rate;
        }
    }
    settings.endGroup();
    emit changed();
}

} // namespace gridhelm::ui
