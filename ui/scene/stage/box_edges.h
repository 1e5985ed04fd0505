// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkBoundingBox.h>
#include <vtkCamera.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

namespace gridhelm::ui {

/// The edges of a box that holds a volume: rays through the volume that meet a line would end there
/// and leave a gap around it. So those that nothing of the volume can lie before are drawn over it.
class BoxEdges
{
public:
    void setBox(const vtkBoundingBox &box);

    /// Sorts them for this camera.
    void look(vtkCamera &camera);

    /// Of the faces that are seen from outside: nothing in the box is before them.
    vtkPolyData &before() { return *m_before; }
    /// The rest, three or fewer: all of the box is before them.
    vtkPolyData &behind() { return *m_behind; }

private:
    vtkBoundingBox m_box;
    vtkNew<vtkPolyData> m_before, m_behind;
};

} // namespace gridhelm::ui
