// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/view_settings.h"

#include <vtkBoundingBox.h>
#include <vtkDataSet.h>

#include <array>

namespace gridhelm::ui {

/// How a mesh lies in space.
struct MeshShape
{
    std::array<double, 6> bounds{0, 1, 0, 1, 0, 0}; ///< x low, x high, y low, ...
    bool flat = true;      ///< cells of at most two dimensions, in a plane across an axis
    Axis normal = Axis::z; ///< of that plane

    double low(Axis axis) const { return bounds[2 * static_cast<std::size_t>(axis)]; }
    double high(Axis axis) const { return bounds[2 * static_cast<std::size_t>(axis) + 1]; }
    double extent(Axis axis) const { return high(axis) - low(axis); }
    double longestSide() const;
    bool operator==(const MeshShape &) const = default;
    /// The mesh's own bounds; for a relief of this height, with the room that it takes.
    vtkBoundingBox box(double reliefHeight = 0) const;
};

MeshShape shapeOf(vtkDataSet &data);

std::array<double, 3> unitVector(Axis axis);

} // namespace gridhelm::ui
