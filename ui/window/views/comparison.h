// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two frames of one field: A, the pinned one, and B, the steered one.
#pragma once

#include "ui/scene/view_settings.h"
#include "ui/steering/field_frame.h"
#include "ui/steering/steering.h"

#include <QString>

#include <optional>
#include <vector>

namespace gridhelm::ui {

/// Whether they can be compared: the same field of the same study.
bool areComparable(const FieldFrame &a, const FieldFrame &b);

/// What of a frame is shown: its values, or its indicator.
const std::vector<float> &valuesOf(const FieldFrame &frame, Shown shown);

/// B - A of the number that is shown of each entity (of a vector: a component, or the magnitudes):
/// a field of its own, with a sign. areComparable(a, b).
struct Difference
{
    data::Field field;
    std::vector<float> values;
    ValueRange range;            ///< round ends, 0 in the middle
    std::vector<float> distance; ///< negative where one of them has no body; empty: both have
};
Difference differenceOf(const FieldFrame &a, const FieldFrame &b, Shown shown, Component component);

/// Round ends around the values of both; none: there are no finite ones. For views that show one
/// frame each in the same colours. areComparable(a, b).
std::optional<ValueRange> rangeOfBoth(const FieldFrame &a, const FieldFrame &b, Shown shown,
                                      Component component, Scale scale);

/// Why these values of a field cannot be shown on a logarithmic scale, which the view wants: a
/// sentence; empty: they can, or it does not want that. `distance`: as data::GeometryValues has it.
QString whyNotLogarithmic(const ViewSettings &view, const data::Field &field,
                          const std::vector<float> &values, const std::vector<float> &distance);

/// "Re = 400, t = 2.5 s"; of a job's result: "Job 17: result of the simulation, Re = 400".
QString stateText(const FieldFrame &frame);
/// The parameters that are not the same: "Re = 500 (A: 400)"; "the same state".
QString differenceText(const FieldFrame &a, const FieldFrame &b);

} // namespace gridhelm::ui
