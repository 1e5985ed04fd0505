// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/mesh_coordinates.h"

#include <vtkCellCenters.h>
#include <vtkCellType.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkRectilinearGrid.h>
#include <vtkStructuredGrid.h>

#include <algorithm>
#include <limits>

namespace gridhelm::data {

namespace {

template <typename Grid>
std::optional<std::array<std::int64_t, 3>> dimensionsOf(vtkDataSet &mesh)
{
    auto *grid = Grid::SafeDownCast(&mesh);
    if (!grid)
        return {};
    std::array<int, 3> points{};
    grid->GetDimensions(points.data());
    return std::array<std::int64_t, 3>{points[0], points[1], points[2]};
}

} // namespace

std::vector<double> placesOfPoints(vtkDataSet &mesh)
{
    std::vector<double> places;
    places.reserve(3 * static_cast<std::size_t>(mesh.GetNumberOfPoints()));
    for (vtkIdType i = 0; i < mesh.GetNumberOfPoints(); ++i) {
        const double *x = mesh.GetPoint(i);
        places.insert(places.end(), x, x + 3);
    }
    return places;
}

std::vector<double> placesOfCells(vtkDataSet &mesh)
{
    vtkNew<vtkCellCenters> filter;
    filter->SetInputData(&mesh);
    filter->Update();
    const auto middles = placesOfPoints(*filter->GetOutput());
    const auto cells = static_cast<std::size_t>(mesh.GetNumberOfCells());
    if (middles.size() == 3 * cells)
        return middles;
    // The filter has left empty cells out.
    std::vector<double> places(3 * cells, std::numeric_limits<double>::quiet_NaN());
    auto from = middles.begin();
    for (std::size_t c = 0; c < cells; ++c) {
        if (mesh.GetCellType(static_cast<vtkIdType>(c)) == VTK_EMPTY_CELL)
            continue;
        std::copy_n(from, 3, places.begin() + static_cast<std::ptrdiff_t>(3 * c));
        from += 3;
    }
    return places;
}

std::optional<std::array<std::int64_t, 3>> gridDimensions(vtkDataSet &mesh)
{
    if (const auto points = dimensionsOf<vtkImageData>(mesh))
        return points;
    if (const auto points = dimensionsOf<vtkRectilinearGrid>(mesh))
        return points;
    return dimensionsOf<vtkStructuredGrid>(mesh);
}

} // namespace gridhelm::data
