// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/surrogate/error_band.h"
#include "data/study/study_types.h"
#include "ui/scene/geometry/body.h"
#include "ui/scene/geometry/mesh_sampling.h"
#include "ui/scene/geometry/mesh_shape.h"
#include "ui/scene/geometry/outer_surface.h"

#include <vtkBoundingBox.h>
#include <vtkDataSet.h>
#include <vtkFloatArray.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::ui {

/// What comes with the values that are shown, of the same field; empty: nothing.
struct ValuesBeside
{
    std::span<const float> vectors = {};   ///< of arrows and streamlines, if not the values shown
    std::span<const float> indicator = {}; ///< for ViewSettings::markLowConfidence
    /// Where the body is in this state: see data::GeometryValues.
    std::span<const float> displacement = {}, distance = {};
    /// How far values may be off by their indicator, if that was measured.
    std::optional<ErrorBand> band = std::nullopt;
};

/// Distances are those of points: what lies on cells is not cut.
std::span<const float> distanceOfEntities(const data::Field &field,
                                          std::span<const float> distance);

/// A mesh, where its body is, and the values of a field that are shown on it: VTK's mesh and its
/// outer surface have them as active scalars, which point to the numbers here.
class FieldOnMesh
{
public:
    /// Without values. Throws gridhelm::Error for a damaged mesh, or one without cells.
    explicit FieldOnMesh(const data::Mesh &encoded);
    ~FieldOnMesh();
    FieldOnMesh(const FieldOnMesh &) = delete;
    FieldOnMesh &operator=(const FieldOnMesh &) = delete;

    vtkDataSet &mesh() const { return *m_mesh; }
    OuterSurface &surface() const { return *m_surface; }
    const Body &body() const { return *m_body; }
    /// With the room in which the body has been.
    const MeshShape &shape() const { return m_shape; }
    /// Where the mesh is in the present state.
    MeshShape shapeNow() const;
    /// What has been drawn of it.
    MeshShape shapeSeen() const;
    /// What a Volume is drawn from; null until one needs it.
    std::shared_ptr<const MeshSampling> &sampling() { return m_sampling; }
    /// What is drawn around it: a flat mesh's border, else the edges of its box.
    vtkSmartPointer<vtkPolyData> outline() const;

    /// Throws gridhelm::Error if they do not go with the mesh.
    void require(const data::Field &field, const ValuesBeside &beside) const;
    /// The body goes where it is in another state; after require().
    void move(const ValuesBeside &beside);

    /// New values take two steps, so that what goes wrong changes nothing: first the numbers that
    /// would be shown of `values`. Throws gridhelm::Error if the field has no such component.
    std::span<const float> prepare(const data::Field &field, Component component,
                                   std::span<const float> values);
    /// And those are shown, of `values`, which are copied.
    void take(const data::Field &field, std::span<const float> values, const ValuesBeside &beside);
    /// The same for the values that there are.
    void takePrepared() { m_shown.swap(m_next); }
    /// Some entities have other values, and show `numbers`.
    void takeSome(std::span<const std::uint32_t> entities, std::span<const float> values,
                  std::span<const float> numbers);
    /// Gives the mesh and its surface what is shown, and the indicator, if it is wanted and known.
    void show(bool withIndicator);
    /// And so many times the vectors, by which nodes are drawn elsewhere; 0: none. They are at
    /// points, unless it is 0.
    void showWarp(double factor);
    /// By how much a point of the mesh is moved so.
    std::array<double, 3> warpOf(std::size_t point) const;
    /// Where its points have been with this factor; not valid without one.
    const vtkBoundingBox &warpedBox() const { return m_warpedBox; }
    /// x, y and z of where each entity of the field is drawn: of a cell its middle, which
    /// showWarp() does not move; NaN for an empty one.
    std::vector<double> places() const;

    bool hasValues() const { return !m_shown.empty(); }
    bool hasIndicator() const { return !m_indicator.empty(); }
    const std::optional<ErrorBand> &band() const { return m_band; } ///< of the indicator
    const data::Field &field() const { return m_field; }
    std::span<const float> values() const { return m_values; }
    bool hasOwnVectors() const { return m_vectors.empty(); }
    std::span<const float> vectors() const { return hasOwnVectors() ? m_values : m_vectors; }
    std::span<const float> shown() const { return m_shown; } ///< one number of each entity
    std::span<const float> distance() const;                 ///< of each; may be empty

private:
    vtkSmartPointer<vtkDataSet> m_mesh;
    std::unique_ptr<OuterSurface> m_surface;
    std::unique_ptr<Body> m_body; ///< of both
    MeshShape m_shape;
    std::shared_ptr<const MeshSampling> m_sampling;

    data::Field m_field;
    std::vector<float> m_values;
    std::vector<float> m_vectors; ///< if they are not m_values
    std::vector<float> m_shown;
    std::vector<float> m_next;      ///< of prepare(): fresh memory would take longer than they do
    std::vector<float> m_indicator; ///< its magnitude; empty: not known
    std::optional<ErrorBand> m_band;
    double m_warpFactor = 0;
    std::vector<float> m_warp; ///< three numbers of each point; empty: none is moved
    vtkBoundingBox m_warpedBox;
    vtkSmartPointer<vtkFloatArray> m_onMesh, m_indicatorOnMesh, m_warpOnMesh; ///< for VTK
};

} // namespace gridhelm::ui
