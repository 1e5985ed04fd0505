// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/geometry/mesh_shape.h"

#include <limits>
#include <span>
#include <vector>

namespace gridhelm::ui {

/// A regular grid of points over a mesh, and what the mesh's points have to say there. Finding out
/// takes seconds for large meshes; values are then carried over in milliseconds.
class MeshSampling
{
public:
    /// The points of an image are its own; over other meshes about `most` are laid.
    MeshSampling(vtkDataSet &mesh, const MeshShape &shape, std::size_t most);

    const std::array<int, 3> &points() const { return m_points; } ///< x fastest
    const std::array<double, 3> &origin() const { return m_origin; }
    const std::array<double, 3> &spacing() const { return m_spacing; }
    std::size_t count() const;
    bool isImage() const { return m_isImage; } ///< the points are the mesh's own

    /// Of meshes that are no image. `values`: one of each point of the mesh; `sampled`: count() of
    /// them, NaN beside the mesh.
    void sample(std::span<const float> values, std::span<float> sampled) const;

private:
    struct Corner
    {
        std::size_t point;
        float weight;
    };
    std::array<int, 3> m_points{1, 1, 1};
    std::array<double, 3> m_origin{}, m_spacing{1, 1, 1};
    bool m_isImage = false;
    std::vector<std::size_t> m_firstCorner; ///< of each, and the end; none: beside the mesh
    std::vector<Corner> m_corners;
};

} // namespace gridhelm::ui
