// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/warp.h"

#include <vtkDataArray.h>
#include <vtkDataObject.h>
#include <vtkGenericCell.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkWarpVector.h>

#include <cstddef>
#include <vector>

namespace gridhelm::ui {

vtkSmartPointer<vtkAlgorithm> warped(vtkAlgorithm &source)
{
    auto warp = vtkSmartPointer<vtkWarpVector>::New();
    warp->SetInputConnection(source.GetOutputPort());
    warp->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, warpArray);
    return warp;
}

std::array<double, 3> unwarped(vtkDataSet &drawn, vtkIdType cell, int part,
                               const std::array<double, 3> &local,
                               const std::array<double, 3> &place)
{
    auto *moved = drawn.GetPointData()->GetArray(warpArray);
    if (!moved || cell < 0 || cell >= drawn.GetNumberOfCells())
        return place;
    vtkNew<vtkGenericCell> in;
    drawn.GetCell(cell, in);
    std::vector<double> weights(static_cast<std::size_t>(in->GetNumberOfPoints()));
    std::array<double, 3> there{};
    in->EvaluateLocation(part, local.data(), there.data(), weights.data());
    auto before = place;
    for (vtkIdType i = 0; i < in->GetNumberOfPoints(); ++i)
        for (int t = 0; t < 3; ++t)
            before[static_cast<std::size_t>(t)] -=
                weights[static_cast<std::size_t>(i)]
                * moved->GetComponent(in->GetPointIds()->GetId(i), t);
    return before;
}

} // namespace gridhelm::ui
