// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/parameters/parameter_space.h"
#include "ui/controls/value_slider.h"
#include "ui/plot/range_ticker.h"

#include <qcustomplot.h>

#include <vector>

namespace gridhelm::ui {

/// A parameter as the axis of a plot, linear or logarithmic as the parameter is: a coordinate of 0
/// is its lower end, 1 its upper one.
class ParameterAxis
{
public:
    ParameterAxis(const Parameter &parameter, std::vector<double> marks);

    const std::vector<double> &marks() const { return m_marks; }
    double coordinateOf(double value) const { return placeOf(m_range, value); }
    /// The value of a coordinate, for a hand: exactly a mark (a value that was simulated) that lies
    /// nearer than `snap`, else as round as a slider's.
    double valueNear(double coordinate, double snap) const;

    /// Range, with some room beside its ends (in parts of it), title and ticks.
    void applyTo(QCPAxis &axis, double room = 0) const;
    /// How many ticks there is room for, along so many pixels.
    void setLength(int pixels) const;

private:
    SliderRange m_range;
    QString m_title;
    std::vector<double> m_marks;
    QSharedPointer<RangeTicker> m_ticker;
};

} // namespace gridhelm::ui
