// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/picture_option.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

namespace gridhelm::ui {

constinit const PictureOption opacityOption{
    .key = "opacity",
    .help = "Of isosurfaces, and of a volume's highest values; up to 1",
    .placeholder = "X",
    .isLive = true,
    .name = "Opacity",
    .step = "opacity",
    .low = 0.05,
    .high = 1,
    .isUsed = [](const MeshShape &shape) { return !shape.flat; },
    .least = aboveZero,
    .most = 1,
    .refusal = "the opacity must be above 0 and at most 1",
    .get = [](const ViewSettings &settings) { return settings.opacity; },
    .set = [](ViewSettings &settings, double value) { settings.opacity = value; },
};

double valueOf(const PictureOption &option, const ViewSettings &settings)
{
    if (option.get)
        return option.get(settings);
    const auto found = settings.further.find(option.key);
    return found == settings.further.end() ? option.usual : found->second;
}

bool isOn(const PictureOption &option, const ViewSettings &settings)
{
    return valueOf(option, settings) == 1;
}

void setValue(const PictureOption &option, double value, ViewSettings &settings)
{
    if (option.set)
        option.set(settings, value);
    else if (value == option.usual) // settings that mean the same are the same
        settings.further.erase(option.key);
    else
        settings.further[option.key] = value;
}

void requirePossible(const PictureOption &option, const ViewSettings &settings)
{
    if (option.type == PictureOption::Type::text)
        return;
    const double value = valueOf(option, settings);
    if (option.type == PictureOption::Type::flag && value != 0 && value != 1)
        throw Error(fmt::format("the option {} is off or on; give 0 or 1", option.key));
    if (!(value >= option.least && value <= option.most))
        throw Error(fmt::format(fmt::runtime(option.refusal), option.least, option.most));
}

std::string defaultTextOf(const PictureOption &option)
{
    const bool isNumber =
        option.type != PictureOption::Type::text && option.type != PictureOption::Type::choice;
    if (!option.defaultText.empty() || !isNumber)
        return std::string(option.defaultText);
    return fmt::format("{:g}", valueOf(option, {}));
}

void parseOption(const PictureOption &option, std::string_view text, std::string_view what,
                 ViewSettings &settings)
{
    if (option.parse)
        option.parse(text, what, settings);
    else if (option.type == PictureOption::Type::whole || option.type == PictureOption::Type::flag)
        setValue(option, parseInteger(text, what), settings);
    else
        setValue(option, parseReal(text, what), settings);
}

} // namespace gridhelm::ui
