// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/mesh_axes.h"

#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkMatrix3x3.h>
#include <vtkRectilinearGrid.h>

#include <algorithm>

namespace gridhelm::ui {

MeshAxes meshAxes(vtkDataSet &mesh)
{
    MeshAxes axes;
    auto &lists = axes.coordinates;
    if (mesh.HasAnyBlankCells() || mesh.HasAnyBlankPoints())
        return {};
    if (auto *image = vtkImageData::SafeDownCast(&mesh)) {
        if (!image->GetDirectionMatrix()->IsIdentity())
            return {};
        const int *extent = image->GetExtent();
        for (std::size_t t = 0; t < 3; ++t)
            for (int i = extent[2 * t]; i <= extent[2 * t + 1]; ++i)
                lists[t].push_back(image->GetOrigin()[t] + i * image->GetSpacing()[t]);
    } else if (auto *grid = vtkRectilinearGrid::SafeDownCast(&mesh)) {
        const std::array given{grid->GetXCoordinates(), grid->GetYCoordinates(),
                               grid->GetZCoordinates()};
        for (std::size_t t = 0; t < 3; ++t)
            for (vtkIdType i = 0; i < given[t]->GetNumberOfTuples(); ++i)
                lists[t].push_back(given[t]->GetComponent(i, 0));
    }
    std::size_t points = 1;
    for (const auto &list : lists) {
        if (!std::ranges::is_sorted(list))
            return {};
        points *= list.size();
    }
    return points == static_cast<std::size_t>(mesh.GetNumberOfPoints()) ? axes : MeshAxes();
}

AxisPlace placeOnAxis(const std::vector<double> &ascending, double x)
{
    if (ascending.size() < 2)
        return {};
    const auto above = std::ranges::upper_bound(ascending, x);
    const auto cell = std::clamp<std::ptrdiff_t>(above - ascending.begin() - 1, 0,
                                                 static_cast<std::ptrdiff_t>(ascending.size()) - 2);
    const auto i = static_cast<std::size_t>(cell);
    return {i, std::clamp((x - ascending[i]) / (ascending[i + 1] - ascending[i]), 0.0, 1.0)};
}

} // namespace gridhelm::ui
