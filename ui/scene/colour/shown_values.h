// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/view_settings.h"

#include <optional>
#include <span>
#include <string>

namespace gridhelm::ui {

/// One number of each entity. shown.size() == field.entities, values.size() == field.values().
/// Throws gridhelm::Error if the field has no such component.
void showComponent(const data::Field &field, Component component, std::span<const float> values,
                   std::span<float> shown);

/// Smallest and largest finite value (logarithmic: positive, finite); none if there are none.
/// low == high is possible.
std::optional<ValueRange> rangeOf(std::span<const float> shown, Scale scale);

/// rangeOf() the body alone: values where the distance is negative do not count; `distance` may be
/// empty.
std::optional<ValueRange> rangeInBody(std::span<const float> shown, std::span<const float> distance,
                                      Scale scale);

/// What holds both.
std::optional<ValueRange> united(std::optional<ValueRange> a, std::optional<ValueRange> b);

/// "velocity magnitude (m/s)", "velocity x (m/s)", "pressure"; "pressure - 101325 (Pa)" of a field
/// that is stored less an offset, "density / 1e-50" of one in units of a scale: pictures and plots
/// are of the numbers that are stored.
std::string titleOf(const data::Field &field, Component component);

/// "magnitude" (or empty), "x", "y", "z", or a number from 0. Throws gridhelm::Error if the field
/// has no such component.
Component parseComponent(const data::Field &field, std::string_view name);

} // namespace gridhelm::ui
