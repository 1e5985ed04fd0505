// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machine/machine_limits.h"

#include "core/execution/memory_bandwidth.h"
#include "core/execution/peak_flops.h"
#include "core/support/system_info.h"
#include "ui/machine/background_thread.h"

#include <QSettings>

#include <string>

namespace gridhelm::ui {
namespace {

constexpr const char *group = "machine";

} // namespace

/// By these names in the settings.
const std::array<std::pair<const char *, double MachineLimits::Rates::*>, 3> MachineLimits::kept{
    {{"copy", &Rates::copy}, {"read", &Rates::read}, {"flops", &Rates::flops}}};

struct MachineLimits::Result
{
    std::mutex mutex;
    MachineLimits *listener = nullptr; ///< null when it is gone
    Rates rates;
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

std::optional<double> MachineLimits::copyRate(const CpuDevice &cpu) const
{
    return rate(cpu, &Rates::copy);
}

std::optional<double> MachineLimits::readRate(const CpuDevice &cpu) const
{
    return rate(cpu, &Rates::read);
}

std::optional<double> MachineLimits::peakFlops(const CpuDevice &cpu) const
{
    return rate(cpu, &Rates::flops);
}

std::optional<double> MachineLimits::rate(const CpuDevice &cpu, double Rates::*which) const
{
    const auto found = m_rates.find(cpu.threads);
    const double value = found == m_rates.end() ? 0 : found->second.*which;
    return value > 0 ? std::optional(value) : std::nullopt;
}

void MachineLimits::measure(const CpuDevice &cpu)
{
    if (isMeasuring())
        return;
    m_cpu = cpu;
    m_result = std::make_shared<Result>();
    m_result->listener = this;
    m_thread = std::make_unique<BackgroundThread>([result = m_result, cpu](std::stop_token) {
        Rates rates;
        std::string failure;
        try {
            const auto bandwidth = measureMemoryBandwidth(cpu);
            rates = {bandwidth.copy, bandwidth.read, measurePeakFlops(cpu)};
        } catch (const std::exception &) {
            failure = "the memory could not be measured, because too little of it is free: close "
                      "other programs";
        }
        const std::lock_guard lock(result->mutex);
        result->rates = rates;
        result->failure = failure;
        if (result->listener)
            QMetaObject::invokeMethod(result->listener, &MachineLimits::take, Qt::QueuedConnection);
    });
    emit changed();
}

QString MachineLimits::measureText() const
{
    return isMeasuring() ? "Measuring, up to 20 s …" : "Measure this machine (2 to 20 s)";
}

void MachineLimits::take()
{
    m_thread.reset();
    const auto result = std::exchange(m_result, nullptr);
    if (result->failure.empty())
        m_rates[m_cpu.threads] = result->rates;
    else
        emit failed(QString::fromStdString(result->failure));
    emit changed();
}

void MachineLimits::saveState(QSettings &settings) const
{
    settings.beginGroup(group);
    settings.setValue("cpu", QString::fromStdString(querySystemInfo().cpuName));
    for (const auto &[threads, rates] : m_rates) {
        for (const auto &[name, which] : kept)
            settings.setValue(QString("%1-%2").arg(name).arg(threads), rates.*which);
    }
    settings.endGroup();
}

void MachineLimits::restoreState(QSettings &settings)
{
    settings.beginGroup(group);
    if (settings.value("cpu").toString() == QString::fromStdString(querySystemInfo().cpuName)) {
        for (const auto &key : settings.childKeys()) {
            for (const auto &[name, which] : kept) {
                const double rate = settings.value(key).toDouble();
                if (key.section('-', 0, 0) == QLatin1String(name) && rate > 0)
                    m_rates[key.section('-', 1).toInt()].*which = rate;
            }
        }
    }
    settings.endGroup();
    emit changed();
}

} // namespace gridhelm::ui
