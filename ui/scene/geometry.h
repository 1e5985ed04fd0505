// SPDX-License-Identifier: GPL-3.0-or-later
//
// From a mesh with values (the active scalars) to what is drawn. Everything made here follows
// changes of the values by itself when it is next drawn.
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/mesh_shape.h"

#include <vtkAlgorithm.h>
#include <vtkContourFilter.h>
#include <vtkSmartPointer.h>
#include <vtkWarpScalar.h>

#include <vector>

namespace gridhelm::ui {

/// The algorithms that are wanted have an output port 0 with polygonal data.
struct Geometry
{
    vtkSmartPointer<vtkAlgorithm> faces = nullptr;       ///< coloured by value
    vtkSmartPointer<vtkAlgorithm> lines = nullptr;       ///< dark isolines; may be empty
    vtkSmartPointer<vtkContourFilter> contour = nullptr; ///< where there is one: takes the levels
    vtkSmartPointer<vtkWarpScalar> relief = nullptr;     ///< where there is one: takes the height
    bool isLit = false;                                  ///< shaded by its shape
    bool isStill = false; ///< new values change colours alone, of faces and of nothing else
    data::Association association = data::Association::point; ///< of the values on `faces`
};

/// `mesh`: all of it; `surface`: its outer surface. Both must live as long as the geometry is used.
/// Throws gridhelm::Error for a slice at a position outside of the mesh.
Geometry makeGeometry(vtkDataSet &mesh, vtkPolyData &surface, const MeshShape &shape,
                      data::Association association, const ViewSettings &settings);

/// Where a slice lies: the wanted position, or the middle. Throws gridhelm::Error if it is outside
/// of the mesh.
double slicePosition(const MeshShape &shape, const ViewSettings &settings);

} // namespace gridhelm::ui
