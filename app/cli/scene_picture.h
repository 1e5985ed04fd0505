// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was drawn, as pictures that are kept.
#pragma once

#include "app/cli/picture.h"
#include "core/parameters/parameter_space.h"
#include "core/support/clean_text.h"
#include "ui/scene/drawing/off_screen.h"

#include <fmt/format.h>

#include <span>
#include <string>

namespace gridhelm::cli {

/// "Re = 400, t = 2.5 s", as it is written into pictures.
inline std::string captionOf(const ParameterSpace &space, std::span<const double> values)
{
    std::string text;
    for (std::size_t t = 0; t < values.size(); ++t)
        text += fmt::format("{}{} = {:.6g}{}{}", text.empty() ? "" : ", ", space[t].name, values[t],
                            space[t].unit.empty() ? "" : " ", cleanLine(space[t].unit));
    return text;
}

inline Picture pictureOf(const ui::Image &image)
{
    Picture picture(static_cast<std::size_t>(image.width), static_cast<std::size_t>(image.height),
                    {});
    for (int row = 0; row < image.height; ++row)
        for (int column = 0; column < image.width; ++column)
            picture.at(static_cast<std::size_t>(column), static_cast<std::size_t>(row)) =
                image.at(column, row);
    return picture;
}

} // namespace gridhelm::cli
