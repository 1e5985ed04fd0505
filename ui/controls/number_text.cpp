// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/number_text.h"

#include <QLocale>

#include <fmt/format.h>

#include <cmath>

namespace gridhelm::ui {

QString numberText(double value)
{
    return QString::fromStdString(fmt::format("{}", value));
}

QString shortNumberText(double value)
{
    constexpr qsizetype typed = 13, field = 11; // as "-0.00000000"
    auto text = numberText(value);
    if (text.size() <= typed)
        return text;
    for (int digits = 15; digits > 2 && text.size() > field; --digits)
        text = QString::fromStdString(fmt::format("{:.{}g}", value, digits));
    return text;
}

QString groupedText(double value)
{
    return QLocale(QLocale::English, QLocale::UnitedStates)
        .toString(std::round(value), 'f', value < 1e15 ? 0 : -1);
}

} // namespace gridhelm::ui
