// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/roofline_plot.h"

#include "ui/controls/theme.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

// Operations per byte: evaluations are about 1/2, solvers up to 10.
constexpr double lowestIntensity = 1.0 / 16, highestIntensity = 64;

QString number(double value)
{
    return QString::number(value, 'f', value < 10 ? 1 : 0);
}

} // namespace

RooflinePlot::RooflinePlot(QWidget *parent)
    : Plot(parent)
    , m_roof(addGraph())
    , m_last(nullptr)
    , m_memoryLabel(new QCPItemText(this))
    , m_peakLabel(new QCPItemText(this))
    , m_hint(new QCPItemText(this))
{
    setAccessibleName("Roofline");
    setToolTip("Operations per second of the last evaluations over their operations per byte "
               "(by count), below what this machine can do: on the left as fast as it reads "
               "memory, on the right as fast as it computes. Dots above the roof read from caches. "
               "The wheel zooms, a double click shows all again");
    setMinimumSize(200, 120);
    for (auto &graph : m_before)
        graph = addGraph();
    m_last = addGraph();
    for (auto *graph : m_before)
        graph->setLineStyle(QCPGraph::lsNone);
    m_last->setLineStyle(QCPGraph::lsNone);
    setLogarithmic(*xAxis, true);
    setLogarithmic(*yAxis, true);
    xAxis->setLabel("operations per byte [flop/byte]");
    yAxis->setLabel("[GFlop/s]");
    for (auto *label : {m_memoryLabel, m_peakLabel, m_hint})
        label->setVisible(false);
    m_memoryLabel->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_peakLabel->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
    m_hint->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_hint->position->setCoords(0.5, 0.06);
    m_hint->setPositionAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_hint->setTextAlignment(Qt::AlignHCenter);
    RooflinePlot::restyle();
    RooflinePlot::showAll();
}

void RooflinePlot::restyle()
{
    Plot::restyle();
    const auto accent = curveColour(palette(), 0);
    m_roof->setPen(QPen(curveColour(palette(), 1), 2));
    for (std::size_t i = 0; i < shades; ++i) {
        auto faded = accent;
        faded.setAlphaF(0.12F + 0.1F * static_cast<float>(i));
        m_before[i]->setPen(Qt::NoPen); // of its dots, too
        m_before[i]->setScatterStyle(
            QCPScatterStyle(QCPScatterStyle::ssCircle, QPen(Qt::NoPen), faded, 7));
    }
    m_last->setScatterStyle(QCPScatterStyle(
        QCPScatterStyle::ssCircle, QPen(palette().color(QPalette::Base), 1.5), accent, 12));
    for (auto *label : {m_memoryLabel, m_peakLabel, m_hint}) {
        label->setFont(font());
        label->setColor(label == m_hint ? quietTextColour(palette())
                                        : palette().color(QPalette::Text));
    }
}

void RooflinePlot::show(const FrameHistory &history, const MachineLimits &limits,
                        const CpuDevice &cpu)
{
    const auto &samples = history.samples();
    std::array<QVector<double>, shades> x, y;
    QVector<double> lastX, lastY;
    m_least = m_most = 0;
    std::size_t dots = 0;
    for (auto i = samples.size(); i-- > 0 && dots < maxDots;) {
        const auto &sample = samples[i];
        if (sample.backend != samples.back().backend || sample.threads != samples.back().threads)
            break;
        if (!(sample.flopRate() > 0) || sample.work.from == data::CoefficientsFrom::file)
            continue;
        const double rate = 1e-9 * sample.flopRate();
        const auto shade = shades - 1 - dots * shades / maxDots;
        (lastX.empty() ? lastX : x[shade]) << sample.intensity();
        (lastY.empty() ? lastY : y[shade]) << rate;
        m_least = m_least > 0 ? std::min(m_least, rate) : rate;
        m_most = std::max(m_most, rate);
        ++dots;
    }
    for (std::size_t i = 0; i < shades; ++i)
        m_before[i]->setData(x[i], y[i]);
    m_last->setData(lastX, lastY);
    showRoof(limits, cpu);
    if (!isZoomed())
        showAll();
    replot(rpQueuedReplot);
}

void RooflinePlot::showRoof(const MachineLimits &limits, const CpuDevice &cpu)
{
    const auto read = limits.readRate(cpu), peak = limits.peakFlops(cpu);
    const bool isMeasured = read && peak;
    const auto of = cpu.threads == 1 ? QString("1 thread") : QString("%1 threads").arg(cpu.threads);
    m_hint->setText(limits.isMeasuring()
                        ? QString("Measuring this machine ...")
                        : QString("No roof yet for %1:\nmeasure this machine").arg(of));
    m_hint->setVisible(!isMeasured);
    m_memoryLabel->setVisible(isMeasured);
    m_peakLabel->setVisible(isMeasured);
    m_peak.reset();
    if (!isMeasured) {
        m_roof->data()->clear();
        return;
    }
    m_peak = 1e-9 * *peak;
    const double ridge = *peak / *read;
    m_roof->setData({lowestIntensity / 1000, ridge, std::max(highestIntensity, ridge) * 1000},
                    {1e-9 * *read * lowestIntensity / 1000, *m_peak, *m_peak}, true);
    m_memoryLabel->setText(QString("reads %1 GB/s").arg(number(1e-9 * *read)));
    m_memoryLabel->position->setCoords(std::sqrt(lowestIntensity * ridge),
                                       0.7e-9 * *read * std::sqrt(lowestIntensity * ridge));
    m_peakLabel->setText(QString("computes %1 GFlop/s, %2").arg(number(*m_peak), of));
    m_peakLabel->position->setCoords(highestIntensity * 0.9, *m_peak * 1.1);
}

/// Roof and dots; without a roof, dots with a decade around them.
void RooflinePlot::showAll()
{
    const double top = std::max({m_peak.value_or(0), m_most, m_peak ? 0.0 : 10.0});
    const double bottom = m_least > 0 ? m_least : top / 100;
    xAxis->setRange(lowestIntensity, highestIntensity);
    yAxis->setRange(std::min(bottom / 3, top / 1000), top * 3);
}

} // namespace gridhelm::ui
