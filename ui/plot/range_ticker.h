// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls/value_slider.h"

#include <qcustomplot.h>

namespace gridhelm::ui {

/// Round values along an axis that shows a slider's range from 0 (its low end) to 1, logarithmic
/// or linear as the slider. As many as there is room for.
class RangeTicker : public QCPAxisTicker
{
public:
    explicit RangeTicker(const SliderRange &range)
        : m_range(range)
    {
    }

    /// At most so many; at least 2.
    void setMost(int most) { m_most = most; }

    void generate(const QCPRange &range, const QLocale &locale, QChar formatChar, int precision,
                  QVector<double> &ticks, QVector<double> *subTicks,
                  QVector<QString> *tickLabels) override;

private:
    SliderRange m_range;
    int m_most = 5;
};

} // namespace gridhelm::ui
