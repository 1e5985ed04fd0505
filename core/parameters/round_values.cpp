// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parameters/round_values.h"

#include "core/support/round_number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace gridhelm {

namespace {

constexpr int maxDigits = 15;  ///< that every double has
constexpr double slack = 1e-9; ///< for quotients that are whole numbers but for round-off

/// How many numbers with that many significant digits there are from `low` to `high`, 0 < low.
double countWithDigits(double low, double high, int digits)
{
    double count = 0;
    const auto last = static_cast<int>(std::floor(std::log10(high)));
    for (int decade = static_cast<int>(std::floor(std::log10(low))); decade <= last; ++decade) {
        const double unit = std::pow(10.0, decade - digits + 1);
        const double begin = std::max(low / unit, std::pow(10.0, digits - 1));
        const double end = std::min(high / unit, std::pow(10.0, digits) - 1);
        count += std::max(0.0, std::floor(end + slack) - std::ceil(begin - slack) + 1);
    }
    return count;
}

} // namespace

RoundValues::RoundValues(const Parameter &parameter, double least)
{
    if (parameter.scale == ParameterScale::logarithmic) {
        m_digits = 1;
        while (m_digits < maxDigits
               && countWithDigits(parameter.low, parameter.high, m_digits) < least)
            ++m_digits;
        return;
    }
    const double largest = std::max((parameter.high - parameter.low) / least * (1 + slack),
                                    std::numeric_limits<double>::min());
    m_exponent = static_cast<int>(std::floor(std::log10(largest)));
    for (int factor : {2, 5}) {
        if (factor * std::pow(10.0, m_exponent) <= largest)
            m_factor = factor;
    }
}

double RoundValues::nearest(double value) const
{
    if (m_digits > 0)
        return m_digits < maxDigits ? withDigits(value, m_digits) : value;
    constexpr double wholeNumbers = 1e15; // exact in a double, the factor included
    const double multiple = std::round(value / (m_factor * std::pow(10.0, m_exponent)));
    if (!(std::abs(multiple) < wholeNumbers))
        return value;
    // Read as text, for the product would have round-off.
    const auto text = std::to_string(static_cast<std::int64_t>(multiple) * m_factor) + "e"
                      + std::to_string(m_exponent);
    double round = value;
    std::from_chars(text.data(), text.data() + text.size(), round);
    return round;
}

} // namespace gridhelm
