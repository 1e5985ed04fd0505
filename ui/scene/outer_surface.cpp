// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/outer_surface.h"

#include "ui/scene/linear_cells.h"

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
    , m_beside(vtkSmartPointer<vtkFloatArray>::New())
{
    // Of quadratic cells the filter numbers points and cells as a mesh in between has them, and it
    // does not see that such a cell and a linear one are neighbours.
    const auto linear = withLinearCells(mesh);
    vtkNew<vtkDataSetSurfaceFilter> filter;
    filter->SetInputData(linear);
    filter->PassThroughPointIdsOn();
    filter->PassThroughCellIdsOn();
    filter->Update();
    m_points = takeIds(*filter->GetOutput()->GetPointData(), filter->GetOriginalPointIdsName());
    m_cells = takeIds(*filter->GetOutput()->GetCellData(), filter->GetOriginalCellIdsName());
    m_surface->CopyStructure(filter->GetOutput());
}

void OuterSurface::fill(vtkFloatArray &array, std::span<const float> values,
                        data::Association association) const
{
    const auto &ids = this->ids(association);
    array.SetNumberOfValues(static_cast<vtkIdType>(ids.size()));
    float *filled = array.GetPointer(0);
    for (std::size_t i = 0; i < ids.size(); ++i)
        filled[i] = values[static_cast<std::size_t>(ids[i])];
    array.Modified();
    m_surface->Modified();
}

void OuterSurface::setValues(std::span<const float> shown, data::Association association)
{
    const bool atPoints = association == data::Association::point;
    fill(*m_values, shown, association);
    m_surface->GetPointData()->SetScalars(atPoints ? m_values.Get() : nullptr);
    m_surface->GetCellData()->SetScalars(atPoints ? nullptr : m_values.Get());
}

void OuterSurface::setBeside(const char *name, std::span<const float> values,
                             data::Association association)
{
    m_beside->SetName(name);
    fill(*m_beside, values, association);
    m_surface->GetPointData()->RemoveArray(name);
    m_surface->GetCellData()->RemoveArray(name);
    if (association == data::Association::point)
        m_surface->GetPointData()->AddArray(m_beside);
    else
        m_surface->GetCellData()->AddArray(m_beside);
}

} // namespace gridhelm::ui
