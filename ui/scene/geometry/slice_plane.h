// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/geometry/mesh_shape.h"

#include <string>

namespace gridhelm::ui {

/// Where a slice lies, and where else it could.
struct SlicePlane
{
    std::array<double, 3> normal{0, 0, 1}; ///< of length 1
    double low = 0, high = 1;              ///< ends of the mesh along the normal, from the origin
    double position = 0.5;                 ///< between them

    double middle() const { return 0.5 * (low + high); }
    /// At the very border the plane would touch cells and cut none: a little inside of it.
    double cutPosition() const;
};

/// Throws gridhelm::Error for a position outside of the mesh.
SlicePlane slicePlane(const MeshShape &shape, const ViewSettings &settings);
/// The same with the position in the middle, whatever the settings say of it.
SlicePlane middleSlicePlane(const MeshShape &shape, const ViewSettings &settings);

/// "z = 0.25", or for a tilted plane "slice across (0.58 0.58 0.58) at 0.25".
std::string captionOf(const SlicePlane &plane, const ViewSettings &settings);
/// "clip at z = 0.25", or "clip across (0.58 0.58 0.58) at 0.25".
std::string clipCaptionOf(const SlicePlane &plane, const ViewSettings &settings);

std::array<double, 3> unitVector(const Direction &direction);
/// Throws gridhelm::Error for the vector 0, and for numbers that are none.
Direction directionOf(const std::array<double, 3> &vector);

} // namespace gridhelm::ui
