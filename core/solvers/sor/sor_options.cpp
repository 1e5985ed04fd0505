// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/sor/sor_options.h"

#include "core/support/error.h"
#include "core/support/extents_text.h"

#include <fmt/format.h>

#include <array>

namespace gridhelm::solvers {
namespace {

constexpr std::array<std::string_view, 3> directions{"forward", "backward", "alternating"};
constexpr std::array<std::string_view, 4> shapes{"16x32", "8x16", "4x8", "32x64"};

/// "16x32" or, as in [Di2010], "16x32x32".
OptionValue parseShape(const std::string &text, const std::string &what)
{
    const auto size = parseExtents(text, what);
    if (size.size() < 2 || size.back() != size[1])
        throw Error(fmt::format("{}: {} is no sub-domain of K layers of M x M unknowns: write KxM, "
                                "e.g. 16x32",
                                what, text));
    return valueOf({size[0], size[1]});
}

} // namespace

constinit const Option relaxationOption{
    .key = "relaxation",
    .symbol = "w",
    .name = "Relaxation",
    .help = "Relaxation factor to begin with, above 0 and below 2; it can be changed while the "
            "solver runs",
    .form = "W",
    .type = Option::Type::real,
    .isLive = true,
    .standardName = "a good one for the grid",
    .low = 0,
    .high = 2,
    .refusal = "a relaxation factor of {value} does not converge; choose one above 0 and below 2",
};

constinit const Option directionOption{
    .key = "direction",
    .name = "Direction",
    .help = "Of the sweeps: forward and backward are SOR, alternating ones SSOR",
    .form = "NAME",
    .type = Option::Type::choice,
    .standardText = "alternating",
    .choices = directions,
};

constinit const Option shapeOption{
    .key = "shape",
    .name = "Shape",
    .help = "Sub-domains of K layers (iterations) of M x M unknowns",
    .form = "KxM",
    .type = Option::Type::extents,
    .standardText = "16x32",
    .suggestions = shapes,
    .parse = parseShape,
};

constinit const Option passOption{
    .key = "pass",
    .name = "Pass",
    .help = "Iterations in one pass over memory",
    .form = "N",
    .type = Option::Type::whole,
    .isRare = true,
    .standard = 0,
    .standardName = "chosen",
    .low = 0,
    .high = 64,
    .refusal = "{what}: {value} iterations in a pass are not possible: choose 1 to {high}, or 0 "
               "for as many as suit",
    .jsonKey = "iterations_per_pass",
};

SweepDirection directionOf(const OptionValues &options)
{
    const auto name = choiceOf(directionOption, options);
    if (name == directions[0])
        return SweepDirection::forward;
    return name == directions[1] ? SweepDirection::backward : SweepDirection::alternating;
}

MlssorShape shapeOf(const OptionValues &options)
{
    const auto extents = extentsOf(shapeOption, options);
    return {extents.at(0), extents.at(1)};
}

OptionValue valueOf(const MlssorShape &shape)
{
    return std::vector<std::size_t>{shape.layers, shape.width, shape.width};
}

} // namespace gridhelm::solvers
