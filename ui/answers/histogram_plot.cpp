// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/histogram_plot.h"

#include "ui/controls/theme.h"
#include "ui/plot/save_menu.h"

#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gridhelm::ui {

HistogramPlot::HistogramPlot(const QString &name, QWidget *parent)
    : Plot(parent)
    , m_bars(new QCPBars(xAxis, yAxis))
    , m_curve(addGraph())
{
    setInteractions({});
    yAxis->setTickLabels(false);
    yAxis->setTicks(false);
    yAxis->setSubTicks(false);
    xAxis->ticker()->setTickCount(4);
    xAxis->setNumberFormat("gb");
    xAxis->setNumberPrecision(4);
    auto *menu = new SaveMenu(
        name, {this}, [this] { return csv(); }, this);
    menu->openOn(*this, [this] { return !m_histogram.counts.empty(); });
    connect(menu, &SaveMenu::news, this, &HistogramPlot::news);
    connect(menu, &SaveMenu::failed, this, &HistogramPlot::failed);
    restyle();
}

void HistogramPlot::show(const answers::Spread &spread, const QString &axis,
                         const std::vector<double> &lines, std::optional<double> threshold)
{
    const auto &histogram = spread.histogram;
    m_histogram = histogram;
    m_density = spread.density;
    m_threshold = threshold;
    const auto count = histogram.counts.size();
    // Of a constant response all samples are in the first bar, of no width.
    const double range = histogram.high > histogram.low ? histogram.high - histogram.low : 1;
    const double width = range / static_cast<double>(std::max<std::size_t>(1, count));
    QVector<double> keys, values;
    double most = 1;
    for (std::size_t i = 0; i < count; ++i) {
        keys << histogram.low + (static_cast<double>(i) + 0.5) * width;
        values << static_cast<double>(histogram.counts[i]);
        most = std::max(most, values.back());
    }
    // As high as bars: by how many samples there would be in one.
    const double samples = std::accumulate(values.begin(), values.end(), 0.0);
    QVector<double> along, heights;
    for (std::size_t i = 0; m_density && i < m_density->values.size(); ++i) {
        along << placeOnCurve(i);
        heights << m_density->values[i] * samples * width;
        most = std::max(most, heights.back());
    }
    m_curve->setData(along, heights, true);
    m_bars->setWidth(width);
    m_bars->setData(keys, values, true);
    xAxis->setLabel(axis);
    double low = histogram.low, high = histogram.low + range;
    if (threshold) {
        low = std::min(low, *threshold);
        high = std::max(high, *threshold);
    }
    const double room = 0.03 * (high - low);
    xAxis->setRange(low - room, high + room);
    yAxis->setRange(0, 1.05 * most);
    for (auto *line : m_lines)
        removeItem(line);
    m_lines.clear();
    auto all = lines;
    if (threshold)
        all.push_back(*threshold);
    for (const double at : all) {
        auto *line = new QCPItemStraightLine(this);
        line->point1->setCoords(at, 0);
        line->point2->setCoords(at, 1);
        m_lines.push_back(line);
    }
    restyle();
    replot(rpQueuedReplot);
}

void HistogramPlot::clear()
{
    show({}, {}, {}, std::nullopt);
}

void HistogramPlot::restyle()
{
    Plot::restyle();
    m_bars->setPen(Qt::NoPen);
    m_bars->setBrush(curveColour(palette(), 0));
    m_curve->setPen(QPen(curveColour(palette(), 1), 1.6));
    for (auto *line : m_lines)
        line->setPen(QPen(palette().color(QPalette::Text), 1, Qt::DashLine));
    if (m_threshold)
        m_lines.back()->setPen(QPen(warningColour(palette()), 1.6));
}

void HistogramPlot::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // scrolls what it is in
}

double HistogramPlot::placeOnCurve(std::size_t i) const
{
    const auto last = static_cast<double>(m_density->values.size() - 1);
    return m_density->low + (m_density->high - m_density->low) * static_cast<double>(i) / last;
}

std::string HistogramPlot::csv() const
{
    const auto number = [](double value) {
        return QByteArray::number(value, 'g', 17).toStdString();
    };
    std::string table = m_density ? "low,high,count,density\n" : "low,high,count\n";
    const auto count = m_histogram.counts.size();
    const double width = (m_histogram.high - m_histogram.low) / static_cast<double>(count);
    for (std::size_t i = 0; i < count; ++i) {
        const double low = m_histogram.low + static_cast<double>(i) * width;
        table +=
            number(low) + "," + number(low + width) + "," + std::to_string(m_histogram.counts[i]);
        if (m_density) {
            const double at = (static_cast<double>(i) + 0.5) / static_cast<double>(count)
                              * static_cast<double>(m_density->values.size() - 1);
            const auto before =
                std::min(static_cast<std::size_t>(at), m_density->values.size() - 2);
            table += ","
                     + number(std::lerp(m_density->values[before], m_density->values[before + 1],
                                        at - static_cast<double>(before)));
        }
        table += "\n";
    }
    return table;
}

} // namespace gridhelm::ui
