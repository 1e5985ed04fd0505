// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/box_edges.h"

#include "ui/scene/geometry/outline.h"

#include <vtkCellArray.h>

#include <array>

namespace gridhelm::ui {

void BoxEdges::setBox(const vtkBoundingBox &box)
{
    m_box = box;
    const auto all = linesOfBox(box);
    m_before->SetPoints(all->GetPoints());
    m_behind->SetPoints(all->GetPoints());
}

void BoxEdges::look(vtkCamera &camera)
{
    std::array<double, 3> eye, along;
    camera.GetPosition(eye.data());
    camera.GetDirectionOfProjection(along.data());
    // sees[axis][end]: whether the outside of that face is turned to the camera.
    std::array<std::array<bool, 2>, 3> sees;
    for (int axis = 0; axis < 3; ++axis) {
        const bool isParallel = camera.GetParallelProjection() != 0;
        const double low = m_box.GetBound(2 * axis), high = m_box.GetBound(2 * axis + 1);
        const auto t = static_cast<std::size_t>(axis);
        sees[t] = {isParallel ? along[t] > 0 : eye[t] < low,
                   isParallel ? along[t] < 0 : eye[t] > high};
    }
    vtkNew<vtkCellArray> before, behind;
    for (int corner = 0; corner < 8; ++corner) { // of linesOfBox(): bit 0 is x, bit 1 y, bit 2 z
        for (int axis = 0; axis < 3; ++axis) {
            if ((corner >> axis & 1) != 0)
                continue; // from the other corner
            const auto isSeen = [&](int other) {
                return sees[static_cast<std::size_t>(other)]
                           [static_cast<std::size_t>(corner >> other & 1)];
            };
            const bool isBefore = isSeen((axis + 1) % 3) || isSeen((axis + 2) % 3);
            (isBefore ? before : behind)->InsertNextCell({corner, corner | 1 << axis});
        }
    }
    m_before->SetLines(before);
    m_behind->SetLines(behind);
}

} // namespace gridhelm::ui
