// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/holes.h"

#include <vtkAppendPolyData.h>
#include <vtkAssignAttribute.h>
#include <vtkClipPolyData.h>
#include <vtkContourFilter.h>
#include <vtkDataSetAttributes.h>

namespace gridhelm::ui {

namespace {

vtkSmartPointer<vtkAlgorithm> withScalars(vtkAlgorithm &source, const char *name)
{
    auto assign = vtkSmartPointer<vtkAssignAttribute>::New();
    assign->SetInputConnection(source.GetOutputPort());
    assign->Assign(name, vtkDataSetAttributes::SCALARS, vtkAssignAttribute::POINT_DATA);
    return assign;
}

} // namespace

vtkSmartPointer<vtkAlgorithm> withoutHoles(vtkAlgorithm &source)
{
    // It cuts by the active scalars, whatever SetInputArrayToProcess() says.
    auto clip = vtkSmartPointer<vtkClipPolyData>::New();
    clip->SetInputConnection(withScalars(source, distanceArray)->GetOutputPort());
    clip->SetValue(0);
    return withScalars(*clip, "shown");
}

vtkSmartPointer<vtkAlgorithm> wallsOf(vtkAlgorithm &source)
{
    // Contours interpolate all arrays but the one that they are made of.
    auto walls = vtkSmartPointer<vtkContourFilter>::New();
    walls->SetInputConnection(withScalars(source, distanceArray)->GetOutputPort());
    walls->SetValue(0, 0);
    return withScalars(*walls, "shown");
}

vtkSmartPointer<vtkAlgorithm> joined(vtkAlgorithm &one, vtkAlgorithm &other)
{
    auto both = vtkSmartPointer<vtkAppendPolyData>::New();
    both->AddInputConnection(one.GetOutputPort());
    both->AddInputConnection(other.GetOutputPort());
    return both;
}

} // namespace gridhelm::ui
