// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/slice_plane.h"

#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace gridhelm::ui {
namespace {

constexpr std::string_view axisNames = "xyz";
constexpr double degree = std::numbers::pi / 180;

char nameOf(Axis axis)
{
    return axisNames[static_cast<std::size_t>(axis)];
}

std::string vectorText(const std::array<double, 3> &vector)
{
    const auto number = [](double x) {
        return fmt::format("{:.2g}", std::abs(x) < 0.005 ? 0.0 : x); // no "-0"
    };
    return fmt::format("({} {} {})", number(vector[0]), number(vector[1]), number(vector[2]));
}

/// Without what round-off leaves of 0.
double shownPosition(const SlicePlane &plane)
{
    return std::abs(plane.position) < 1e-9 * (plane.high - plane.low) ? 0 : plane.position;
}

std::string acrossText(const SlicePlane &plane)
{
    return fmt::format("across {} at {:.4g}", vectorText(plane.normal), shownPosition(plane));
}

} // namespace

double SlicePlane::cutPosition() const
{
    const double border = 1e-6 * (high - low);
    return std::clamp(position, low + border, high - border);
}

std::array<double, 3> unitVector(const Direction &direction)
{
    const double level = std::cos(degree * direction.elevation);
    return {level * std::cos(degree * direction.azimuth),
            level * std::sin(degree * direction.azimuth), std::sin(degree * direction.elevation)};
}

Direction directionOf(const std::array<double, 3> &vector)
{
    const double length = std::hypot(vector[0], vector[1], vector[2]);
    if (!std::isfinite(length) || length == 0)
        throw Error("a slice cannot lie across ("
                    + fmt::format("{}, {}, {}", vector[0], vector[1], vector[2])
                    + "); give three numbers that are not all 0");
    return {std::atan2(vector[1], vector[0]) / degree, std::asin(vector[2] / length) / degree};
}

SlicePlane middleSlicePlane(const MeshShape &shape, const ViewSettings &settings)
{
    SlicePlane plane;
    plane.normal = settings.tilted ? unitVector(settings.tilt) : unitVector(settings.normal);
    plane.low = plane.high = 0;
    for (std::size_t t = 0; t < 3; ++t) { // the corners of the box that are nearest and farthest
        const double a = plane.normal[t] * shape.bounds[2 * t];
        const double b = plane.normal[t] * shape.bounds[2 * t + 1];
        plane.low += std::min(a, b);
        plane.high += std::max(a, b);
    }
    plane.position = plane.middle();
    return plane;
}

SlicePlane slicePlane(const MeshShape &shape, const ViewSettings &settings)
{
    auto plane = middleSlicePlane(shape, settings);
    if (!settings.position)
        return plane;
    plane.position = *settings.position;
    // Ends that a person has read off, and ends of a mesh that were rounded, are still its ends.
    const double roundOff = 1e-6 * (plane.high - plane.low);
    if (!(plane.position >= plane.low - roundOff && plane.position <= plane.high + roundOff))
        throw Error(fmt::format("a plane at {} {} is outside of the mesh; choose a position "
                                "between {} and {}",
                                settings.tilted ? "the position"
                                                : fmt::format("{} =", nameOf(settings.normal)),
                                plane.position, plane.low, plane.high));
    return plane;
}

std::string captionOf(const SlicePlane &plane, const ViewSettings &settings)
{
    if (!settings.tilted)
        return fmt::format("{} = {:.4g}", nameOf(settings.normal), shownPosition(plane));
    return "slice " + acrossText(plane);
}

std::string clipCaptionOf(const SlicePlane &plane, const ViewSettings &settings)
{
    return "clip " + (settings.tilted ? acrossText(plane) : "at " + captionOf(plane, settings));
}

} // namespace gridhelm::ui
