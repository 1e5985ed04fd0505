// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/comparison.h"

#include "ui/controls/number_field.h"
#include "ui/scene/shown_values.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

const data::Field &fieldOf(const FieldFrame &frame)
{
    return frame.study->fields.at(frame.request.field);
}

std::optional<ValueRange> rangeOfShown(const data::Field &field, const std::vector<float> &values,
                                       Component component, Scale scale)
{
    std::vector<float> shown(field.entities);
    showComponent(field, component, values, shown);
    return rangeOf(shown, scale);
}

QString valueText(const FieldFrame &frame, std::size_t t)
{
    return numberText(frame.request.parameters[t]);
}

/// "Re = 400", "t = 2.5 s".
QString parameterText(const FieldFrame &frame, std::size_t t)
{
    const auto &parameter = frame.study->parameters[t];
    const auto unit = QString::fromStdString(parameter.unit);
    return QString::fromStdString(parameter.name) + " = " + valueText(frame, t)
           + (unit.isEmpty() ? "" : " " + unit);
}

} // namespace

bool areComparable(const FieldFrame &a, const FieldFrame &b)
{
    return a.request.field == b.request.field && a.study->path == b.study->path
           && a.values.size() == b.values.size()
           && a.request.parameters.size() == b.request.parameters.size();
}

const std::vector<float> &valuesOf(const FieldFrame &frame, Shown shown)
{
    return shown == Shown::indicator ? frame.indicator : frame.values;
}

std::vector<float> differenceOf(const FieldFrame &a, const FieldFrame &b, Shown shown)
{
    const auto &before = valuesOf(a, shown);
    auto difference = valuesOf(b, shown);
    for (std::size_t i = 0; i < difference.size(); ++i)
        difference[i] -= before[i];
    return difference;
}

std::optional<ValueRange> rangeOfBoth(const FieldFrame &a, const FieldFrame &b, Shown shown,
                                      Component component, Scale scale)
{
    const auto &field = fieldOf(b);
    const auto range = united(rangeOfShown(field, valuesOf(a, shown), component, scale),
                              rangeOfShown(field, valuesOf(b, shown), component, scale));
    return range ? std::optional(roundedOutward(*range, scale)) : std::nullopt;
}

ValueRange differenceRange(const data::Field &field, const std::vector<float> &difference,
                           Component component)
{
    const auto range = rangeOfShown(field, difference, component, Scale::linear);
    const double most = range ? std::max(std::abs(range->low), std::abs(range->high)) : 0;
    if (field.components > 1 && component.index == Component::magnitude)
        return roundedOutward({0, most > 0 ? most : 1}, Scale::linear);
    return roundedOutward({-most, most}, Scale::linear);
}

QString stateText(const FieldFrame &frame)
{
    QStringList parts;
    for (std::size_t t = 0; t < frame.request.parameters.size(); ++t)
        parts << parameterText(frame, t);
    if (!frame.isExact)
        parts << QString("coarse: level %1 of %2").arg(frame.groups).arg(frame.study->groups);
    return parts.join(", ");
}

QString differenceText(const FieldFrame &a, const FieldFrame &b)
{
    QStringList parts;
    for (std::size_t t = 0; t < b.request.parameters.size(); ++t) {
        if (a.request.parameters[t] != b.request.parameters[t])
            parts << parameterText(b, t) + " (A: " + valueText(a, t) + ")";
    }
    return parts.isEmpty() ? "the same state" : parts.join(", ");
}

} // namespace gridhelm::ui
