// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/range_ticker.h"

#include "ui/scene/colour/value_axis.h"

namespace gridhelm::ui {
namespace {

constexpr int digits = 5;

} // namespace

void RangeTicker::generate(const QCPRange &, const QLocale &, QChar, int, QVector<double> &ticks,
                           QVector<double> *subTicks, QVector<QString> *tickLabels)
{
    const ValueRange range{m_range.low, m_range.high};
    const auto values = m_range.isLogarithmic ? ticksOf(range, Scale::logarithmic, m_most)
                                              : roundValuesIn(range, m_most);
    ticks.clear();
    for (const double value : values)
        ticks << placeOf(m_range, value);
    if (subTicks)
        subTicks->clear();
    if (!tickLabels)
        return;
    tickLabels->clear();
    for (const double value : values)
        *tickLabels << QString::number(value, 'g', digits);
}

} // namespace gridhelm::ui
