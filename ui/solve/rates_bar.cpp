// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/rates_bar.h"

#include "ui/controls/number_text.h"
#include "ui/controls/plain_text.h"
#include "ui/machine/machine_limits.h"
#include "ui/solve/run_explanation.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <fmt/format.h>

namespace gridhelm::ui {
RatesBar::RatesBar(MachineLimits &limits, QWidget *parent)
    : QWidget(parent)
    , m_limits(limits)
    , m_rates(new QLabel(this))
    , m_measure(new QPushButton(limits.measureText(), this))
{
    m_rates->setObjectName("rates");
    m_rates->setTextFormat(Qt::PlainText);
    m_rates->setToolTip(plainTip(explanationOfRates()));
    m_rates->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_measure->setObjectName("measure");
    m_measure->setToolTip(
        "Measure how fast the memory copies, which takes about two seconds, or up to "
        "20 where caches are large: what a solver's GB/s are compared with. Best "
        "while nothing runs");
    connect(m_measure, &QPushButton::clicked, this,
            [this] { m_limits.measure(CpuDevice{m_threads}); });
    connect(&m_limits, &MachineLimits::changed, this, &RatesBar::showAgain);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(4, 0, 0, 0);
    layout->addWidget(m_rates, 1);
    layout->addWidget(m_measure);
}

void RatesBar::show(const std::optional<RunState> &run, int threads)
{
    m_run = run;
    m_threads = threads;
    showAgain();
}

void RatesBar::showAgain()
{
    const auto copyRate = m_limits.copyRate(CpuDevice{m_threads}); // none of no threads
    m_measure->setVisible(m_threads > 0 && (!copyRate || m_limits.isMeasuring()));
    m_measure->setEnabled(!m_limits.isMeasuring());
    m_measure->setText(m_limits.measureText());
    const auto threadText =
        m_threads == 0 ? QString("GPU")
                       : QString("%1 thread%2").arg(m_threads).arg(m_threads == 1 ? "" : "s");
    QString text;
    if (m_run) {
        const auto &state = *m_run;
        text = QString("%1  ·  %2 %3/s  ·  %4 GFlop/s  ·  %5 GB/s")
                   .arg(threadText, groupedText(state.rates.iterations),
                        QString::fromStdString(state.unit),
                        QString::fromStdString(fmt::format("{:.2f}", state.rates.flops * 1e-9)),
                        QString::fromStdString(fmt::format("{:.1f}", state.rates.bytes * 1e-9)));
        if (copyRate)
            text += QString::fromStdString(fmt::format(", {:.0f} % of this machine's copy rate",
                                                       100 * state.rates.bytes / *copyRate));
    }
    if (copyRate)
        text += QString::fromStdString(fmt::format("{}copies {:.1f} GB/s with {}",
                                                   m_run ? "  ·  it " : "This machine ",
                                                   *copyRate * 1e-9, threadText.toStdString()));
    m_rates->setText(text);
    m_rates->setAccessibleName(text);
}

} // namespace gridhelm::ui
