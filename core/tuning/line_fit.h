// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace gridhelm::tuning {

/// How long so much work took.
struct TimedAmount
{
    double amount = 0;
    double seconds = 0;
};

struct Line
{
    double offset = 0;
    double slope = 0;

    double at(double amount) const { return offset + slope * amount; }
};

/// By linear least squares ([Murarasu2013], 5.5.2: more than two amounts are needed to know the
/// time of a large input from small ones). With fewer than two different amounts, a line through
/// the origin and their mean. Precondition: at least one, amounts > 0.
Line fitLine(std::span<const TimedAmount> timed);

} // namespace gridhelm::tuning
