// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/outline.h"

#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>

#include <array>

namespace gridhelm::ui {

vtkSmartPointer<vtkPolyData> linesOfBox(const vtkBoundingBox &box)
{
    // Corner number: bit 0 is x, bit 1 is y, bit 2 is z.
    vtkNew<vtkPoints> corners;
    vtkNew<vtkCellArray> lines;
    for (int corner = 0; corner < 8; ++corner) {
        std::array<double, 3> place;
        box.GetCorner(corner, place.data());
        corners->InsertNextPoint(place.data());
        for (const int bit : {1, 2, 4})
            if ((corner & bit) == 0)
                lines->InsertNextCell({corner, corner | bit});
    }
    auto edges = vtkSmartPointer<vtkPolyData>::New();
    edges->SetPoints(corners);
    edges->SetLines(lines);
    return edges;
}

} // namespace gridhelm::ui
