// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bodies whose shape changes with a parameter, on one regular grid: a hole that grows, say. Where
// the body is not, its fields are continued, so that they depend on parameters smoothly while the
// surface passes over a node; the signed distance to the surface tells where it is
// (geometry_fields.h).
#pragma once

#include "data/mesh/mesh_handling.h"
#include "data/mesh/mesh_probe.h"
#include "data/study/study_types.h"

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::data {

/// The grid as a study keeps it. Throws gridhelm::Error if the mesh has an extent along an axis
/// with one point only, or none along one with several.
Mesh backgroundMesh(const BackgroundGrid &grid, const Mesh &first);

/// One mesh under a background grid: found once, then asked for the values of any fields.
class BackgroundSampling
{
public:
    /// Throws gridhelm::Error if the mesh reaches out of the grid by more than 1e-6 of its
    /// diagonal, or has none of its nodes inside.
    /// `cellValues`: `constant` saves time and memory where no field is on cells.
    BackgroundSampling(const Mesh &background, const Mesh &mesh,
                       CellValues cellValues = CellValues::linear);

    /// Of each node to the mesh's boundary, negative outside of the mesh. The parts of it that lie
    /// in the faces of the grid's box do not count: nothing is beyond them. The box's diagonal if
    /// there are no others.
    const std::vector<float> &distance() const { return m_distance; }

    /// At the nodes; values of cells count at their centres. Outside of the mesh the field is
    /// continued by reflection about the nearest point p of the boundary, 2 u(p) - u(q) with q as
    /// deep inside as the node is outside (three cells of the grid at most, so that nothing grows
    /// without bounds); u(p) where q is not inside.
    ///
    /// Measured with the exact stress around a hole in a plate (Kirsch 1898), whose radius is
    /// interpolated linearly over 17 values: errors at nodes inside are 0.11 % so, 0.21 % with
    /// u(p) alone, 0.69 % with a biharmonic and 1.2 % with a harmonic continuation.
    std::vector<float> sample(const Field &field, std::span<const float> values) const;

private:
    std::vector<float> m_distance;
    std::vector<std::size_t> m_outside;          ///< nodes
    std::unique_ptr<const MeshProbe> m_nodes;    ///< empty outside
    std::unique_ptr<const MeshProbe> m_nearest;  ///< of each of m_outside
    std::unique_ptr<const MeshProbe> m_opposite; ///< likewise; may be empty
};

} // namespace gridhelm::data
