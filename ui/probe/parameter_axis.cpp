// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/probe/parameter_axis.h"

#include "ui/probe/probe_csv.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::ui {

ParameterAxis::ParameterAxis(const Parameter &parameter, std::vector<double> marks)
    : m_range{parameter.low, parameter.high, parameter.scale == ParameterScale::logarithmic}
    , m_title(QString::fromStdString(titleOf(parameter)))
    , m_marks(std::move(marks))
    , m_ticker(QSharedPointer<RangeTicker>::create(m_range))
{
}

double ParameterAxis::valueNear(double coordinate, double snap) const
{
    coordinate = std::clamp(coordinate, 0.0, 1.0);
    const auto distance = [&](double mark) { return std::abs(coordinateOf(mark) - coordinate); };
    const auto nearest = std::ranges::min_element(m_marks, {}, distance);
    if (nearest != m_marks.end() && distance(*nearest) < snap)
        return *nearest;
    return roundValueAt(m_range, coordinate);
}

void ParameterAxis::applyTo(QCPAxis &axis, double room) const
{
    constexpr double roundOff = 1e-9; // a tick at an end is not beside it
    axis.setRange(-room - roundOff, 1 + room + roundOff);
    axis.setTicker(m_ticker);
    axis.setLabel(m_title);
}

void ParameterAxis::setLength(int pixels) const
{
    constexpr int perTick = 55;
    m_ticker->setMost(std::clamp(pixels / perTick, 2, 11));
}

} // namespace gridhelm::ui
