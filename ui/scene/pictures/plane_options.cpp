// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/plane_options.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "ui/scene/pictures/picture_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace gridhelm::ui {
namespace {

void parseNormal(std::string_view text, std::string_view what, ViewSettings &settings)
{
    constexpr std::string_view axes = "xyz";
    if (const auto at = axes.find(text); text.size() == 1 && at != axes.npos) {
        settings.normal = static_cast<Axis>(at);
        return;
    }
    std::vector<double> parts;
    if (text.find(',') != text.npos)
        parseReals(text, what, parts);
    if (parts.size() != 3)
        throw Error(fmt::format("{} {}: choose x, y or z, or give three numbers", what, text));
    settings.tilted = true;
    settings.tilt = directionOf({parts[0], parts[1], parts[2]});
}

void parsePosition(std::string_view text, std::string_view what, ViewSettings &settings)
{
    if (!text.empty())
        settings.position = parseReal(text, what);
}

bool isSolid(const MeshShape &shape)
{
    return !shape.flat;
}

} // namespace

constinit const PictureOption normalOption{
    .key = "normal",
    .help = "Of a slice, or of --clip: x, y, z, or a vector",
    .placeholder = "AXIS|X,Y,Z",
    .type = PictureOption::Type::text,
    .parse = parseNormal,
    .defaultText = "z",
};
constinit const PictureOption positionOption{
    .key = "position",
    .help = "Of a slice, or of --clip, along its normal (default: the middle)",
    .placeholder = "X",
    .type = PictureOption::Type::text,
    .parse = parsePosition,
};
constinit const PictureOption clipOption{
    .key = "clip",
    .help = "Surface, contour and volume of solid meshes: what lies beyond the plane is cut away; "
            "a surface shows the field on the cut, isosurfaces and volumes are open there",
    .type = PictureOption::Type::flag,
    .name = "Clip",
    .step = "clip",
    .isUsed = isSolid,
};
constinit const PictureOption clipInvertOption{
    .key = "clip-invert",
    .help = "With --clip: keeps the half beyond the plane, and cuts the other one away",
    .type = PictureOption::Type::flag,
    .name = "Invert clip",
    .step = "inverted clip",
    .isUsed = isSolid,
    .flag = &clipOption,
};

bool usesPlane(const ViewSettings &settings)
{
    const auto options = kindOf(settings.kind).options;
    const auto has = [options](const PictureOption &option) {
        return std::ranges::find(options, &option) != options.end();
    };
    return has(normalOption) && (!has(clipOption) || isOn(clipOption, settings));
}

std::optional<ClipPlane> clipPlaneOf(const MeshShape &shape, const ViewSettings &settings)
{
    if (shape.flat || !isOn(clipOption, settings))
        return std::nullopt;
    return ClipPlane{slicePlane(shape, settings), isOn(clipInvertOption, settings)};
}

} // namespace gridhelm::ui
