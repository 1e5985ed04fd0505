// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/colour/colour_table.h"

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
double placeOf(const ColourScale &scale, double value)
{
    const auto [low, high] = scale.range;
    if (scale.scale == Scale::logarithmic)
        return value > 0 ? std::log(value / low) / std::log(high / low) : -1.0;
    return (value - low) / (high - low);
}

Colour colourAt(const ColourScale &scale, double place)
{
    if (scale.steps.empty())
        return colourOf(scale.colours, place);
    // Colours spread so that the outermost bands have those of the ends.
    std::size_t band = 0;
    while (band < scale.steps.size() && placeOf(scale, scale.steps[band]) <= place)
        ++band;
    return colourOf(scale.colours,
                    static_cast<double>(band) / static_cast<double>(scale.steps.size()));
}

void fillTable(const ColourScale &scale, vtkLookupTable &table)
{
    table.SetScale(VTK_SCALE_LINEAR); // neither range may be none for a logarithm
    table.SetNumberOfTableValues(tableSize);
    table.SetTableRange(scale.range.low, scale.range.high);
    table.SetScale(scale.scale == Scale::logarithmic ? VTK_SCALE_LOG10 : VTK_SCALE_LINEAR);
    for (int i = 0; i < tableSize; ++i) {
        const Colour c = colourAt(scale, (i + 0.5) / tableSize);
        table.SetTableValue(i, c[0] / 255.0, c[1] / 255.0, c[2] / 255.0, 1.0);
    }
    const auto &none = colourOfNoNumber;
    table.SetNanColor(none[0] / 255.0, none[1] / 255.0, none[2] / 255.0, 1.0);
    table.Modified();
}

void fillTable(const Colour &colour, vtkLookupTable &table)
{
    const std::array<double, 4> rgba{colour[0] / 255.0, colour[1] / 255.0, colour[2] / 255.0, 1.0};
    for (vtkIdType i = 0; i < table.GetNumberOfTableValues(); ++i)
        table.SetTableValue(i, rgba.data());
    table.SetNanColor(rgba[0], rgba[1], rgba[2], rgba[3]);
    table.Modified();
}

std::vector<double> evenLevels(ValueRange range, Scale scale, int count)
{
    std::vector<double> levels;
    if (scale == Scale::linear)
        levels = roundValuesInside(range, count);
    if (!levels.empty())
        return levels;
    for (int i = 1; i <= count; ++i) {
        const double part = static_cast<double>(i) / (count + 1);
        levels.push_back(scale == Scale::logarithmic
                             ? range.low * std::pow(range.high / range.low, part)
                             : range.low + part * (range.high - range.low));
    }
    return levels;
}

} // namespace gridhelm::ui
