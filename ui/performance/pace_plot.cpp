// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/pace_plot.h"

#include "ui/performance/usual_range.h"

#include <algorithm>

namespace gridhelm::ui {

PacePlot::PacePlot(QWidget *parent)
    : Plot(parent)
    , m_latency(addGraph(xAxis, yAxis))
    , m_evaluations(addGraph(xAxis, yAxis2))
{
    setAccessibleName("Latency and evaluations per second");
    setToolTip("Over the last half minute: the latency of each frame (milliseconds, dots, left "
               "axis), and the evaluations per second (line, right axis). The wheel zooms, a "
               "double click shows all again");
    setMinimumSize(200, 120);
    m_latency->setName("latency [ms]");
    m_latency->setLineStyle(QCPGraph::lsNone);
    m_evaluations->setName("evaluations [1/s]");
    m_evaluations->setLineStyle(QCPGraph::lsStepLeft);
    legendOnTop(*this, 2);
    yAxis2->setVisible(true);
    xAxis->setLabel("time [s] (0: the last frame)");
    yAxis->setLabel("latency [ms]");
    yAxis2->setLabel("evaluations [1/s]");
    axisRect()->setRangeDragAxes({xAxis}, {yAxis, yAxis2});
    axisRect()->setRangeZoomAxes({xAxis}, {yAxis, yAxis2});
    PacePlot::restyle();
    PacePlot::showAll();
}

void PacePlot::restyle()
{
    Plot::restyle();
    legend->setBorderPen(Qt::NoPen);
    const auto latency = curveColour(palette(), 1), evaluations = curveColour(palette(), 0);
    m_latency->setScatterStyle(QCPScatterStyle(QCPScatterStyle::ssDisc, latency, latency, 3));
    m_latency->setPen(QPen(latency));
    m_evaluations->setPen(QPen(evaluations, 1.6));
    yAxis->setLabelColor(latency);
    yAxis2->setLabelColor(evaluations);
}

void PacePlot::show(const FrameHistory &history)
{
    const auto &samples = history.samples();
    QVector<double> times, latencies, evaluations;
    m_mostEvaluations = 0;
    const double last = samples.empty() ? 0 : samples.back().shownAt;
    auto first = samples.size();
    while (first > 0 && samples[first - 1].shownAt >= last - shownSeconds)
        --first;
    for (auto i = first; i < samples.size(); ++i) {
        times << samples[i].shownAt - last;
        latencies << 1000 * samples[i].latency;
        evaluations << history.evaluationsPerSecond(i);
        m_mostEvaluations = std::max(m_mostEvaluations, evaluations.back());
    }
    m_latency->setData(times, latencies, true);
    m_evaluations->setData(times, evaluations, true);
    m_mostMilliseconds = highestUsual({latencies.begin(), latencies.end()});
    if (!isZoomed())
        showAll();
    replot(rpQueuedReplot);
}

void PacePlot::showAll()
{
    xAxis->setRange(-shownSeconds, 0.02 * shownSeconds);
    yAxis->setRange(0, std::max(1.1 * m_mostMilliseconds, 20.0));
    yAxis2->setRange(0, std::max(1.1 * m_mostEvaluations, 10.0));
}

} // namespace gridhelm::ui
