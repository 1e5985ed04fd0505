// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a picture of a field shows, as plain values.
#pragma once

#include "core/support/colour_scheme.h"
#include "ui/scene/colour/value_axis.h"
#include "ui/scene/pictures/kinds.h"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace gridhelm::ui {

enum class Axis : std::uint8_t { x, y, z };

/// In degrees: 0, 0 is x; 90, 0 is y; elevation 90 is z.
struct Direction
{
    double azimuth = 45;
    double elevation = 35;

    bool operator==(const Direction &) const = default;
};

/// Where streamlines pass.
enum class Seeds : std::uint8_t {
    everywhere, ///< spread evenly
    alongX,     ///< on a line through the middle of the mesh
    alongY,
    alongZ,
};
/// "everywhere", "x", "y", "z".
std::string_view toString(Seeds seeds);
/// Throws gridhelm::Error, with the names there are.
Seeds parseSeeds(std::string_view name);

constexpr int maxLevels = 200;   ///< of a contour view
constexpr int maxGlyphs = 10000; ///< in one picture
constexpr double maxGlyphScale = 10;
constexpr int maxStreamlines = 500; ///< in one picture

/// Which number of a vector is shown; scalars know `magnitude` only, and are shown with their sign.
struct Component
{
    static constexpr int magnitude = -1;
    int index = magnitude; ///< 0, 1, 2 ...: that one

    bool operator==(const Component &) const = default;
};

enum class Projection : std::uint8_t {
    automatic, ///< flat meshes straight (but a relief), others oblique
    straight,  ///< along the slice's normal, or the flat mesh's; else along z
    oblique,
};

struct ViewSettings
{
    ViewKind kind = ViewKind::slice;
    Component component;

    ColourScheme colours;
    std::optional<ValueRange> range = std::nullopt; ///< in the field's unit; none: round numbers
                                                    ///< around the values
    Scale scale = Scale::linear;

    Axis normal = Axis::z; ///< of a slice
    bool tilted = false;   ///< a slice: across `tilt` instead
    Direction tilt;
    /// Of a slice, along its normal from the origin, in the mesh's unit of length; none: in the
    /// middle.
    std::optional<double> position = std::nullopt;

    int levelCount = 10;             ///< of a contour view, at most; see evenLevels
    std::vector<double> levels = {}; ///< if given, these instead
    double opacity = 1;              ///< of isosurfaces and volumes, above 0

    double relief = 0.35; ///< height of the range, in parts of the mesh's longer side

    int glyphCount = 300;     ///< about so many
    double glyphScale = 1.5;  ///< length of the longest arrow, in distances between neighbours
    int streamlineCount = 60; ///< about so many
    Seeds seeds = Seeds::everywhere;

    /// Other choices of kinds of pictures, by PictureOption::key; those that are missing are usual.
    std::map<std::string_view, double> further = {};

    /// Slices, surfaces and flat meshes: darkens where the indicator is above this part of the
    /// range of the colours.
    bool markLowConfidence = false;
    double lowConfidenceAbove = 0.05;

    bool edges = false;  ///< of the mesh's cells
    bool outline = true; ///< of the mesh

    bool dark = false; ///< light text on a dark background
    Projection projection = Projection::automatic;

    bool operator==(const ViewSettings &) const = default;
};

} // namespace gridhelm::ui
