// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/colour/shown_values.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace gridhelm::ui {
namespace {

constexpr std::string_view axisNames = "xyz";

void requireComponent(const data::Field &field, Component component)
{
    if (component.index < Component::magnitude || component.index >= field.components)
        throw Error(
            fmt::format("the field {} has {} component{}; choose one of them, counted from 0"
                        ", or the magnitude",
                        field.name, field.components, field.components == 1 ? "" : "s"));
}

} // namespace

void showComponent(const data::Field &field, Component component, std::span<const float> values,
                   std::span<float> shown)
{
    requireComponent(field, component);
    if (values.size() != field.values() || shown.size() != field.entities)
        throw Error("The field " + field.name + " has another length than its mesh");
    const auto stride = static_cast<std::size_t>(field.components);
    if (stride == 1) {
        std::copy(values.begin(), values.end(), shown.begin());
    } else if (component.index == Component::magnitude) {
        for (std::size_t i = 0; i < shown.size(); ++i) {
            double sum = 0;
            for (std::size_t c = 0; c < stride; ++c) {
                const double part = values[i * stride + c];
                sum += part * part;
            }
            shown[i] = static_cast<float>(std::sqrt(sum));
        }
    } else {
        const auto c = static_cast<std::size_t>(component.index);
        for (std::size_t i = 0; i < shown.size(); ++i)
            shown[i] = values[i * stride + c];
    }
}

std::optional<ValueRange> rangeOf(std::span<const float> shown, Scale scale)
{
    constexpr float none = std::numeric_limits<float>::infinity();
    float low = none, high = -none;
    for (const float value : shown) {
        if (!std::isfinite(value) || (scale == Scale::logarithmic && value <= 0))
            continue;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (low > high)
        return std::nullopt;
    return ValueRange{low, high};
}

std::optional<ValueRange> rangeInBody(std::span<const float> shown, std::span<const float> distance,
                                      Scale scale)
{
    if (distance.size() != shown.size())
        return rangeOf(shown, scale);
    std::vector<float> inBody;
    inBody.reserve(shown.size());
    for (std::size_t i = 0; i < shown.size(); ++i)
        if (distance[i] >= 0)
            inBody.push_back(shown[i]);
    return rangeOf(inBody, scale);
}

std::optional<ValueRange> united(std::optional<ValueRange> a, std::optional<ValueRange> b)
{
    if (!a || !b)
        return a ? a : b;
    return ValueRange{std::min(a->low, b->low), std::max(a->high, b->high)};
}

std::string titleOf(const data::Field &field, Component component)
{
    auto title = cleanLine(field.name);
    if (field.components > 1) {
        const auto c = static_cast<std::size_t>(component.index);
        if (component.index == Component::magnitude)
            title += " magnitude";
        else if (field.components <= 3)
            title += fmt::format(" {}", axisNames[c]);
        else
            title += fmt::format(" [{}]", c);
    }
    if (field.offset != 0)
        title += fmt::format(" {} {:.15g}", field.offset < 0 ? '+' : '-', std::abs(field.offset));
    if (field.scale != 1)
        title = fmt::format("{}{}{} / {:.3g}", field.offset != 0 ? "(" : "", title,
                            field.offset != 0 ? ")" : "", field.scale);
    return field.unit.empty() ? title : title + " (" + cleanLine(field.unit) + ")";
}

Component parseComponent(const data::Field &field, std::string_view name)
{
    if (name.empty() || name == "magnitude")
        return {};
    Component component;
    if (const auto axis = axisNames.find(name); name.size() == 1 && axis != axisNames.npos) {
        component.index = static_cast<int>(axis);
    } else {
        const auto [end, failed] =
            std::from_chars(name.data(), name.data() + name.size(), component.index);
        if (failed != std::errc() || end != name.data() + name.size() || component.index < 0)
            throw Error("there is no component '" + std::string(name)
                        + "'; give x, y, z, magnitude, or a number from 0");
    }
    requireComponent(field, component);
    return component;
}

} // namespace gridhelm::ui
