// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/mesh/mesh_motion.h"
#include "ui/scene/geometry/outer_surface.h"

#include <vtkBoundingBox.h>
#include <vtkDataSet.h>
#include <vtkFloatArray.h>
#include <vtkSmartPointer.h>

#include <memory>
#include <span>
#include <vector>

namespace gridhelm::ui {

/// What a body looks like in one state, where it depends on the parameters: its nodes move, or it
/// covers a part of its mesh (data/study/geometry_fields.h). It changes the mesh and its surface.
class Body
{
public:
    /// Keeps both.
    Body(vtkDataSet &mesh, OuterSurface &surface);
    ~Body();
    Body(const Body &) = delete;
    Body &operator=(const Body &) = delete;

    /// As the fields are called; empty ones say nothing. Throws gridhelm::Error if they are of
    /// another length than the mesh, and for a mesh whose nodes cannot move; then nothing has
    /// changed.
    void require(std::span<const float> displacement, std::span<const float> distance) const;
    /// After require().
    void set(std::span<const float> displacement, std::span<const float> distance);

    bool isMoved() const { return m_nodes != nullptr; }
    bool hasHoles() const { return !m_distance.empty(); }
    std::span<const float> distance() const { return m_distance; }

    /// Everything that has been drawn of it.
    const vtkBoundingBox &box() const { return m_box; }

private:
    vtkSmartPointer<vtkDataSet> m_mesh;
    OuterSurface &m_surface;
    vtkBoundingBox m_box;
    std::unique_ptr<data::MovingNodes> m_nodes; ///< null until they have moved
    std::vector<float> m_distance;
    vtkSmartPointer<vtkFloatArray> m_onMesh; ///< m_distance, for VTK
};

} // namespace gridhelm::ui
