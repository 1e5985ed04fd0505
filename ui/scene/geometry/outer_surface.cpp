// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/outer_surface.h"

#include "data/mesh/linear_cells.h"

#include <vtkCellData.h>
#include <vtkDataSetSurfaceFilter.h>
#include <vtkIdTypeArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>

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
    m_values->SetName("shown");
    // Of quadratic cells the filter numbers points and cells as a mesh in between has them, and it
    // does not see that such a cell and a linear one are neighbours.
    const auto linear = data::withLinearCells(mesh);
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
    const auto components = static_cast<std::size_t>(array.GetNumberOfComponents());
    array.SetNumberOfTuples(static_cast<vtkIdType>(ids.size()));
    float *filled = array.GetPointer(0);
    for (const auto id : ids)
        for (std::size_t c = 0; c < components; ++c)
            *filled++ = values[static_cast<std::size_t>(id) * components + c];
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

void OuterSurface::follow(vtkDataSet &mesh)
{
    vtkNew<vtkPoints> points; // the old ones may be the mesh's own
    points->SetDataTypeToDouble();
    points->SetNumberOfPoints(static_cast<vtkIdType>(m_points.size()));
    for (std::size_t i = 0; i < m_points.size(); ++i)
        points->SetPoint(static_cast<vtkIdType>(i), mesh.GetPoint(m_points[i]));
    m_surface->SetPoints(points);
    m_surface->Modified();
}

void OuterSurface::setBeside(const char *name, std::span<const float> values,
                             data::Association association, int components)
{
    auto &beside = m_beside[name];
    if (!beside)
        beside = vtkSmartPointer<vtkFloatArray>::New();
    beside->SetName(name);
    beside->SetNumberOfComponents(components);
    fill(*beside, values, association);
    m_surface->GetPointData()->RemoveArray(name);
    m_surface->GetCellData()->RemoveArray(name);
    if (association == data::Association::point)
        m_surface->GetPointData()->AddArray(beside);
    else
        m_surface->GetCellData()->AddArray(beside);
}

void OuterSurface::removeBeside(const char *name)
{
    if (m_beside.erase(name) == 0)
        return;
    m_surface->GetPointData()->RemoveArray(name);
    m_surface->GetCellData()->RemoveArray(name);
    m_surface->Modified();
}

} // namespace gridhelm::ui
