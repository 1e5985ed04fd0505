// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a mesh with values (the active scalars) to what is drawn. Everything made here follows
// changes of the values by itself when it is next drawn.
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/geometry/mesh_sampling.h"
#include "ui/scene/geometry/mesh_shape.h"
#include "ui/scene/pictures/vector_view.h"
#include "ui/scene/pictures/volume.h"

#include <vtkAlgorithm.h>
#include <vtkContourFilter.h>
#include <vtkSmartPointer.h>
#include <vtkWarpScalar.h>

#include <memory>

namespace gridhelm::ui {

/// The algorithms that are wanted have an output port 0 with polygonal data.
struct Geometry
{
    vtkSmartPointer<vtkAlgorithm> faces = nullptr;       ///< coloured by value
    vtkSmartPointer<vtkAlgorithm> lines = nullptr;       ///< dark isolines; may be empty
    vtkSmartPointer<vtkContourFilter> contour = nullptr; ///< where there is one: takes the levels
    vtkSmartPointer<vtkWarpScalar> relief = nullptr;     ///< where there is one: takes the height
    std::unique_ptr<VectorView> vectors = nullptr;       ///< where there is one: makes `faces`
    std::unique_ptr<Volume> volume = nullptr;            ///< where there is one: instead of `faces`
    bool isLit = false;                                  ///< shaded by its shape
    bool isStill = false; ///< new values change colours alone, of faces and of nothing else
    data::Association association = data::Association::point; ///< of the values on `faces`

    bool isMade() const { return faces || volume; }
};

/// What geometry is made from. It must live as long as the geometry is used.
struct MeshParts
{
    vtkDataSet &mesh;     ///< all of it
    vtkPolyData &surface; ///< its outer surface
    const MeshShape &shape;
    std::shared_ptr<const MeshSampling> &sampling; ///< null until it is needed
    bool hasHoles = false;                         ///< what is drawn is cut off there: see holes.h
    bool isMoved = false; ///< new values come with other places of the points
};

/// Throws gridhelm::Error for a slice at a position outside of the mesh, and for a kind of view
/// that cannot show the field.
Geometry makeGeometry(const MeshParts &parts, const data::Field &field,
                      const ViewSettings &settings);

/// Whether the geometry of one is that of the other: they differ in colours and the like at most.
bool haveSameGeometry(const ViewSettings &one, const ViewSettings &other);

} // namespace gridhelm::ui
