// SPDX-License-Identifier: GPL-3.0-or-later
//
// Steps from a mesh with values to what is drawn, for pictures of all kinds.
#pragma once

#include "ui/scene/geometry/slice_surface.h"
#include "ui/scene/pictures/field_picture.h"

#include <vtkContourFilter.h>

#include <memory>
#include <vector>

namespace gridhelm::ui {

vtkSmartPointer<vtkAlgorithm> sourceOf(vtkDataSet &data);

/// Contours and reliefs need values at points.
vtkSmartPointer<vtkAlgorithm> pointValuesOf(vtkDataSet &data, data::Association association);

/// Isolines or isosurfaces; the levels are still to be given.
vtkSmartPointer<vtkContourFilter> contourOf(vtkAlgorithm &source);

/// The values of the mesh on what was cut out of it.
vtkSmartPointer<vtkAlgorithm> valuesOn(std::shared_ptr<const SliceSurface> cut, vtkDataSet &mesh);
/// Whether it knows where they come from.
bool hasSources(const SliceSurface &cut, data::Association association);
std::vector<ValueSource> sourcesOn(const SliceSurface &cut, data::Association association);

/// Whether new values leave everything where it is, on this body.
bool isStillOn(const Body &body);

/// Cuts the parts off where the body has holes, if it has.
void cutHoles(FieldPicture::Parts &parts, const Body &body);
/// On a flat mesh, the border of the holes among the lines.
void addWalls(FieldPicture::Parts &parts, const PictureSource &source);

} // namespace gridhelm::ui
