// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkNew.h>

class vtkAlgorithm;
class vtkCameraPass;
class vtkDepthSortPolyData;
class vtkRenderer;

namespace gridhelm::ui {

/// Translucent faces, blended from the farthest to the nearest one. Right for faces that do not
/// cross each other, such as isosurfaces of one field, and the picture takes hardly longer than an
/// opaque one, where VTK's peeling of layers needs seconds without a GPU.
class SortedBlending
{
public:
    SortedBlending();
    ~SortedBlending();
    SortedBlending(const SortedBlending &) = delete;
    SortedBlending &operator=(const SortedBlending &) = delete;

    /// Has the renderer draw faces in the order in which they come.
    void begin(vtkRenderer &renderer);
    /// Has it draw as VTK does by itself.
    static void end(vtkRenderer &renderer);

    /// Gives the faces of `source` in the order in which the renderer's camera sees them.
    vtkAlgorithm &sorted(vtkAlgorithm &source, vtkRenderer &renderer);

private:
    vtkNew<vtkDepthSortPolyData> m_sort;
    vtkNew<vtkCameraPass> m_pass;
};

} // namespace gridhelm::ui
