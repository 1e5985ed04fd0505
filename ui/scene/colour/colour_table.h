// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/view_settings.h"

#include <vtkLookupTable.h>

#include <vector>

namespace gridhelm::ui {

/// From values to colours. Values outside of the range have the colours of its ends, values that
/// are no numbers are grey.
struct ColourScale
{
    ColourScheme colours;
    ValueRange range;
    Scale scale = Scale::linear;
    std::vector<double> steps = {}; ///< ascending, inside the range: one colour between each two;
                                    ///< empty: continuous

    bool operator==(const ColourScale &) const = default;
};

/// Place of a value along the scale, 0 at range.low, 1 at range.high; may be outside.
double placeOf(const ColourScale &scale, double value);

/// What the table shows at a place in [0, 1] along the scale.
Colour colourAt(const ColourScale &scale, double place);

/// Overwrites `table`.
void fillTable(const ColourScale &scale, vtkLookupTable &table);
/// With one colour for everything.
void fillTable(const Colour &colour, vtkLookupTable &table);

/// Colours in a table: so many that the edge of a band is exact to a pixel; VTK keeps them as a
/// texture.
constexpr int tableSize = 1024;
constexpr Colour colourOfNoNumber{128, 128, 128};

/// Values between the ends, evenly along the scale; the ends are not among them. At most `count`
/// round ones, or `count` others if there are none (or the scale is logarithmic).
std::vector<double> evenLevels(ValueRange range, Scale scale, int count);

} // namespace gridhelm::ui
