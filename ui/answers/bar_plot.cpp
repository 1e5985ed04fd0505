// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/bar_plot.h"

#include "core/support/csv_line.h"
#include "ui/controls/theme.h"
#include "ui/plot/save_menu.h"

#include <QWheelEvent>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr double taken = 0.8; ///< of the room of a name, by its bars
constexpr int shownDigits = 3;

} // namespace

BarPlot::BarPlot(const QString &name, QWidget *parent)
    : Plot(parent)
{
    setInteractions({});
    yAxis->setRangeReversed(true);
    yAxis->setSubTicks(false);
    yAxis->setTickLength(0);
    yAxis->grid()->setVisible(false);
    yAxis2->setVisible(true); // the numbers, beside their bars
    yAxis2->setRangeReversed(true);
    yAxis2->setSubTicks(false);
    yAxis2->setTickLength(0);
    xAxis->ticker()->setTickCount(4);
    xAxis->setNumberFormat("gb");
    xAxis->setNumberPrecision(3);
    legendOnTop(*this, 3);
    legend->setVisible(false);
    auto *menu = new SaveMenu(
        name, {this}, [this] { return csv(); }, this);
    menu->openOn(*this, [this] { return !m_names.isEmpty(); });
    connect(menu, &SaveMenu::news, this, &BarPlot::news);
    connect(menu, &SaveMenu::failed, this, &BarPlot::failed);
    restyle();
}

void BarPlot::show(const QStringList &names, const std::vector<Series> &series, const QString &axis)
{
    if (m_bars.size() != series.size()) {
        for (auto *bars : m_bars)
            removePlottable(bars);
        m_bars.clear();
        for (std::size_t s = 0; s < series.size(); ++s)
            m_bars.push_back(new QCPBars(yAxis, xAxis));
    }
    const bool isOther = names != m_names;
    m_names = names;
    m_series = series;
    const QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
    for (qsizetype i = 0; i < names.size(); ++i)
        ticker->addTick(static_cast<double>(i), names[i]);
    yAxis->setTicker(ticker);
    yAxis->setRange(-0.5, std::max(0.5, static_cast<double>(names.size()) - 0.5));
    yAxis2->setRange(yAxis->range());
    const QSharedPointer<QCPAxisTickerText> numbers(new QCPAxisTickerText);
    const double width = taken / std::max<double>(1, static_cast<double>(series.size()));
    for (std::size_t s = 0; s < series.size(); ++s) {
        QVector<double> keys, values;
        for (std::size_t i = 0; i < series[s].values.size(); ++i) {
            keys << static_cast<double>(i) - taken / 2 + (static_cast<double>(s) + 0.5) * width;
            values << series[s].values[i];
            numbers->addTick(keys.back(), QString::number(values.back(), 'g', shownDigits));
        }
        m_bars[s]->setName(series[s].name);
        m_bars[s]->setWidth(width * 0.92);
        m_bars[s]->setData(keys, values, true);
    }
    yAxis2->setTicker(numbers);
    xAxis->setLabel(axis);
    legend->setVisible(series.size() > 1);
    showAll();
    restyle();
    if (isOther)
        updateGeometry();
    replot(rpQueuedReplot);
}

void BarPlot::showAll()
{
    double low = 0, high = 0;
    for (const auto &series : m_series)
        for (const double value : series.values) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    const double room = high > low ? 0.05 * (high - low) : 1;
    xAxis->setRange(low < 0 ? low - room : 0, high > 0 || low == 0 ? high + room : 0);
}

void BarPlot::restyle()
{
    Plot::restyle();
    yAxis2->setBasePen(Qt::NoPen);
    for (std::size_t s = 0; s < m_bars.size(); ++s) {
        const auto colour = curveColour(palette(), static_cast<int>(s));
        m_bars[s]->setPen(Qt::NoPen);
        m_bars[s]->setBrush(colour);
    }
}

void BarPlot::wheelEvent(QWheelEvent *event)
{
    event->ignore();
}

QSize BarPlot::sizeHint() const
{
    const auto rows = static_cast<int>(m_names.size());
    const int line = fontMetrics().height();
    const int bars = std::max<int>(1, static_cast<int>(m_series.size()));
    return {260, 5 * line + rows * (line / 2 + bars * line)};
}

QSize BarPlot::minimumSizeHint() const
{
    return {160, sizeHint().height()};
}

std::string BarPlot::csv() const
{
    std::string table = "parameter";
    for (const auto &series : m_series)
        table += "," + csvCell(series.name.toStdString());
    table += "\n";
    for (qsizetype i = 0; i < m_names.size(); ++i) {
        table += csvCell(m_names[i].toStdString());
        for (const auto &series : m_series)
            table += ","
                     + QByteArray::number(series.values[static_cast<std::size_t>(i)], 'g', 17)
                           .toStdString();
        table += "\n";
    }
    return table;
}

} // namespace gridhelm::ui
