// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/warp_options.h"

#include "ui/scene/geometry/warp.h"
#include "ui/scene/pictures/picture_kind.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::ui {
namespace {

std::string whyNotWarped(bool isFlat, const data::Field &field)
{
    const int fewest = isFlat ? 2 : 3;
    if (field.components < fewest || field.components > 3)
        return fmt::format("Nodes can be moved by a vector field of {} only; {} has {}: choose "
                           "another field, or leave Warp by vector off",
                           isFlat ? "2 or 3 components" : "3 components", field.name,
                           field.components);
    if (field.association == data::Association::cell)
        return fmt::format("Nodes can be moved by values at points only, and {} has values of "
                           "cells: choose another field, or leave Warp by vector off",
                           field.name);
    return {};
}

} // namespace

constinit const PictureOption warpOption{
    .key = "warp",
    .help = "Slice, contour and surface: nodes are drawn moved by a factor times the vector that "
            "is shown, a displacement (at points; of flat meshes in their plane); clicks probe the "
            "undeformed position",
    .type = PictureOption::Type::flag,
    .name = "Warp by vector",
    .step = "warp",
    .isOfVectors = true,
    .unavailableReason = whyNotWarped,
};
constinit const PictureOption warpFactorOption{
    .key = "warp-factor",
    .help = "With --warp: so many times the vector; below 0, against it",
    .placeholder = "X",
    .name = "Warp factor",
    .step = "warp",
    .low = 0.01,
    .high = 100000,
    .isLogarithmic = true,
    .isOfVectors = true,
    .flag = &warpOption,
    .least = -1e9,
    .most = 1e9,
    .refusal = "the factor of a warp must be a number from {0:g} to {1:g}",
    .usual = 1,
};

double warpFactor(const ViewSettings &settings)
{
    const auto options = kindOf(settings.kind).options;
    const bool canBe = std::ranges::find(options, &warpOption) != options.end();
    return canBe && isOn(warpOption, settings) ? valueOf(warpFactorOption, settings) : 0;
}

void warp(FieldPicture::Parts &parts, const ViewSettings &settings)
{
    if (warpFactor(settings) == 0)
        return;
    if (parts.faces)
        parts.faces = warped(*parts.faces);
    if (parts.lines)
        parts.lines = warped(*parts.lines);
    parts.isStill = false;
}

} // namespace gridhelm::ui
