// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/performance/frame_time_plot.h"

#include "ui/controls/theme.h"
#include "ui/performance/usual_range.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace gridhelm::ui {
namespace {

struct Part
{
    const char *name;
    double FrameSample::*seconds;
};

constexpr std::array parts{
    Part{"evaluate", &FrameSample::evaluate}, Part{"transfer", &FrameSample::transfer},
    Part{"render", &FrameSample::render}, Part{"waiting", &FrameSample::waiting}};
constexpr int waiting = 3;
constexpr double sixtyMilliseconds = 1000.0 / 60;

} // namespace

FrameTimePlot::FrameTimePlot(QWidget *parent)
    : Plot(parent)
    , m_sixty(new QCPItemStraightLine(this))
    , m_sixtyLabel(new QCPItemText(this))
{
    setAccessibleName("Time of each frame");
    setToolTip("What the last frames took from the event until they were on the screen "
               "(milliseconds), the newest on the right: evaluate, transfer to the scene, render, "
               "and waiting for their turn. The wheel zooms, a double click shows all again");
    setMinimumSize(200, 120);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        m_parts[i] = new QCPBars(xAxis, yAxis);
        m_parts[i]->setName(parts[i].name);
        m_parts[i]->setWidth(1);
        m_parts[i]->setStackingGap(0);
        m_parts[i]->setAntialiased(false);
        if (i > 0)
            m_parts[i]->moveAbove(m_parts[i - 1]);
    }
    legendOnTop(*this, 2);
    m_sixty->point1->setCoords(0, sixtyMilliseconds);
    m_sixty->point2->setCoords(1, sixtyMilliseconds);
    m_sixtyLabel->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    m_sixtyLabel->position->setCoords(0.01, sixtyMilliseconds);
    m_sixtyLabel->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    m_sixtyLabel->setText("60 per second");
    xAxis->setLabel("frame (0: the last one)");
    yAxis->setLabel("time [ms]");
    FrameTimePlot::restyle();
    FrameTimePlot::showAll();
}

void FrameTimePlot::restyle()
{
    Plot::restyle();
    legend->setBorderPen(Qt::NoPen);
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        auto colour = curveColour(palette(), static_cast<int>(i));
        if (i == waiting) {
            colour = palette().color(QPalette::Mid);
            colour.setAlpha(170);
        }
        m_parts[i]->setPen(Qt::NoPen);
        m_parts[i]->setBrush(colour);
    }
    m_sixty->setPen(QPen(quietTextColour(palette()), 1, Qt::DashLine));
    m_sixtyLabel->setColor(quietTextColour(palette()));
    m_sixtyLabel->setFont(font());
}

void FrameTimePlot::show(const FrameHistory &history)
{
    const auto &samples = history.samples();
    const auto count = std::min<std::size_t>(samples.size(), maxFrames);
    const auto first = samples.size() - count;
    std::array<QVector<double>, parts.size()> values;
    QVector<double> keys;
    std::vector<double> totals;
    for (std::size_t i = first; i < samples.size(); ++i) {
        keys << static_cast<double>(i) - static_cast<double>(samples.size() - 1);
        for (std::size_t part = 0; part < parts.size(); ++part)
            values[part] << 1000 * samples[i].*parts[part].seconds;
        totals.push_back(1000 * samples[i].latency);
    }
    for (std::size_t part = 0; part < parts.size(); ++part)
        m_parts[part]->setData(keys, values[part], true);
    m_top = std::max(sixtyMilliseconds, highestUsual(std::move(totals)));
    if (!isZoomed())
        showAll();
    replot(rpQueuedReplot);
}

void FrameTimePlot::showAll()
{
    xAxis->setRange(0.5 - maxFrames, 0.5);
    yAxis->setRange(0, 1.1 * m_top);
}

} // namespace gridhelm::ui
