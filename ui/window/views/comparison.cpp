// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/comparison.h"

#include "ui/controls/number_text.h"
#include "ui/scene/colour/shown_values.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

const data::Field &fieldOf(const FieldFrame &frame)
{
    return frame.study->fields.at(frame.request.field);
}

std::vector<float> shownOf(const FieldFrame &frame, Shown shown, Component component)
{
    const auto &field = fieldOf(frame);
    std::vector<float> numbers(field.entities);
    showComponent(field, component, valuesOf(frame, shown), numbers);
    return numbers;
}

QString valueText(const FieldFrame &frame, std::size_t t)
{
    return shortNumberText(frame.request.parameters[t]);
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

Difference differenceOf(const FieldFrame &a, const FieldFrame &b, Shown shown, Component component)
{
    const auto &field = fieldOf(b);
    auto before = shownOf(a, shown, component);
    Difference difference{field, shownOf(b, shown, component), {}, {}};
    for (std::size_t i = 0; i < before.size(); ++i)
        difference.values[i] -= before[i];
    difference.field.unit.clear(); // titleOf would add these
    difference.field.offset = 0;
    const double scale = std::exchange(difference.field.scale, 1);
    difference.field.name = "difference of " + titleOf(difference.field, component)
                            + (shown == Shown::indicator ? " indicator" : "");
    difference.field.unit = field.unit;
    difference.field.scale = scale;
    difference.field.components = 1;
    difference.distance = b.geometry.distance;
    for (std::size_t i = 0; i < difference.distance.size() && i < a.geometry.distance.size(); ++i)
        difference.distance[i] = std::min(difference.distance[i], a.geometry.distance[i]);
    if (field.association != data::Association::point)
        difference.distance.clear();
    const auto range = rangeInBody(difference.values, difference.distance, Scale::linear);
    const double most = range ? std::max(std::abs(range->low), std::abs(range->high)) : 0;
    difference.range = roundedOutward({-most, most}, Scale::linear);
    return difference;
}

std::optional<ValueRange> rangeOfBoth(const FieldFrame &a, const FieldFrame &b, Shown shown,
                                      Component component, Scale scale)
{
    const auto range =
        united(rangeInBody(shownOf(a, shown, component), a.geometry.distance, scale),
               rangeInBody(shownOf(b, shown, component), b.geometry.distance, scale));
    return range ? std::optional(roundedOutward(*range, scale)) : std::nullopt;
}

QString whyNotLogarithmic(const ViewSettings &view, const data::Field &field,
                          const std::vector<float> &values, const std::vector<float> &distance)
{
    if (view.scale != Scale::logarithmic)
        return {};
    if (view.range)
        return view.range->low > 0
                   ? QString()
                   : QString("A logarithmic scale cannot begin at %1, so the colours are linear. "
                             "Type a lower end above 0, or turn off \"logarithmic\"")
                         .arg(view.range->low);
    std::vector<float> shown(field.entities);
    showComponent(field, view.component, values, shown);
    if (rangeInBody(shown, distance, view.scale)) // none of cells: another length
        return {};
    return QString::fromStdString(titleOf(field, view.component))
           + " has no value above 0 here, which a logarithmic scale needs, so the colours are "
             "linear. Turn off \"logarithmic\" to keep them so";
}

QString stateText(const FieldFrame &frame)
{
    QStringList parts;
    for (std::size_t t = 0; t < frame.request.parameters.size(); ++t)
        parts << parameterText(frame, t);
    if (!frame.isExact && frame.groups < frame.study->groups)
        parts << QString("coarse: level %1 of %2").arg(frame.groups).arg(frame.study->groups);
    if (const auto modes = frame.work.leadingModes; modes > 0)
        parts << QString("coarse: %1 %2, which hold %3 % of the energy")
                     .arg(modes)
                     .arg(modes == 1 ? "POD mode" : "POD modes")
                     .arg(100 * frame.work.energyShare, 0, 'g', 4);
    const auto of = parts.join(", ");
    return frame.request.job == 0
               ? of
               : QString("Job %1: result of the simulation, %2").arg(frame.request.job).arg(of);
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
