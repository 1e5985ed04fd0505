// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/log_ticker.h"

#include <array>
#include <cmath>
#include <span>

namespace gridhelm::ui {

namespace {

// Powers of ten in the range: so few that others come between them; so few that two and five times
// these are not enough; so few that evenly spaced values are as good.
constexpr double few = 2, veryFew = 0.7, nearlyNone = 0.3;

/// Parts of a power that have a tick.
std::span<const double> partsIn(double powers)
{
    static constexpr std::array<double, 3> some{1, 2, 5};
    static constexpr std::array<double, 6> more{1, 1.5, 2, 3, 5, 7};
    return powers < veryFew ? std::span<const double>(more) : std::span<const double>(some);
}

} // namespace

int LogTicker::getSubTickCount(double tickStep)
{
    return m_isFine ? 0 : QCPAxisTickerLog::getSubTickCount(tickStep);
}

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange &range)
{
    const double powers =
        range.lower > 0 && range.upper > range.lower ? std::log10(range.upper / range.lower) : 0;
    m_isFine = powers >= nearlyNone && powers < few;
    if (!m_isFine)
        return QCPAxisTickerLog::createTickVector(tickStep, range);
    QVector<double> ticks;
    const int last = static_cast<int>(std::floor(std::log10(range.upper))) + 1;
    for (int power = static_cast<int>(std::floor(std::log10(range.lower))); power <= last; ++power)
        for (const double part : partsIn(powers))
            ticks << part * std::pow(10.0, power);
    return ticks; // one beyond each end, as it has to be
}

QString LogTicker::getTickLabel(double tick, const QLocale &locale, QChar format, int precision)
{
    constexpr double least = 1e-3, most = 1e4; // that are read at a glance
    constexpr int digits = 6;
    if (tick >= least * (1 - 1e-9) && tick <= most * (1 + 1e-9))
        return locale.toString(tick, 'g', digits);
    return QCPAxisTickerLog::getTickLabel(tick, locale, format, precision);
}

} // namespace gridhelm::ui
