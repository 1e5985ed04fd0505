// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/outer_surface.h"

#include <vtkCellData.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>

namespace gridhelm::ui {
namespace {

std::vector<vtkIdType> takeIds(vtkDataSetAttributes &attributes, const char *name)
{
    auto *array = vtkIdTypeArray::SafeDownCast(attributes.GetArray(name));
    if (!array)
        return {};
    return {array->GetPointer(0), array->GetPointer(0) + array->GetNumberOfValues()};
}

} // namespace

OuterSurface::OuterSurface(vtkDataSet &mesh)
    : m_surface(vtkSmartPointer<vtkPolyData>::New())
    , m_values(vtkSmartPointer<vtkFloatArray>::New())
{
    auto bare = vtkSmartPointer<vtkDataSet>::Take(mesh.NewInstance());
    bare->CopyStructure(&mesh);
    vtkNew<vtkDataSetSurfaceFilter> filter;
    filter->SetInputData(bare);
    filter->PassThroughPointIdsOn();
    filter->PassThroughCellIdsOn();
    filter->SetNonlinearSubdivisionLevel(0); // every point of the surface is one of the mesh
    filter->Update();
    m_points = takeIds(*filter->GetOutput()->GetPointData(), filter->GetOriginalPointIdsName());
    m_cells = takeIds(*filter->GetOutput()->GetCellData(), filter->GetOriginalCellIdsName());
    m_surface->CopyStructure(filter->GetOutput());
}

void OuterSurface::setValues(std::span<const float> shown, data::Association association)
{
    const bool atPoints = association == data::Association::point;
    const auto &ids = this->ids(association);
    m_values->SetNumberOfValues(static_cast<vtkIdType>(ids.size()));
    float *values = m_values->GetPointer(0);
    for (std::size_t i = 0; i < ids.size(); ++i)
        values[i] = shown[static_cast<std::size_t>(ids[i])];
    m_surface->GetPointData()->SetScalars(atPoints ? m_values.Get() : nullptr);
    m_surface->GetCellData()->SetScalars(atPoints ? nullptr : m_values.Get());
    m_values->Modified();
    m_surface->Modified();
}

} // namespace gridhelm::ui
