// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/stage/low_confidence_overlay.h"

#include <vtkProperty.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridhelm::ui {

LowConfidenceOverlay::LowConfidenceOverlay()
    : m_table(vtkSmartPointer<vtkLookupTable>::New())
    , m_mapper(vtkSmartPointer<vtkPolyDataMapper>::New())
    , m_actor(vtkSmartPointer<vtkActor>::New())
{
    // Below the threshold nothing, above it a shade that lets the colours be told.
    m_table->SetNumberOfTableValues(2);
    m_table->SetTableValue(0, 0, 0, 0, 0);
    m_table->SetTableValue(1, 0.06, 0.06, 0.08, 0.55);
    m_table->SetNanColor(0, 0, 0, 0);
    m_mapper->SetLookupTable(m_table);
    m_mapper->UseLookupTableScalarRangeOn();
    m_mapper->InterpolateScalarsBeforeMappingOn();
    m_mapper->SelectColorArray(arrayName);
    // On top of the faces that it darkens, which lie in the same place.
    m_mapper->SetRelativeCoincidentTopologyPolygonOffsetParameters(-3, -1500);
    m_actor->SetMapper(m_mapper);
    m_actor->GetProperty()->LightingOff();
    m_actor->ForceTranslucentOn();
    m_actor->PickableOff();
    m_actor->VisibilityOff();
}

void LowConfidenceOverlay::setFaces(vtkAlgorithm &faces, data::Association association)
{
    m_mapper->SetInputConnection(faces.GetOutputPort());
    if (association == data::Association::point)
        m_mapper->SetScalarModeToUsePointFieldData();
    else
        m_mapper->SetScalarModeToUseCellFieldData();
}

void LowConfidenceOverlay::setThreshold(double threshold)
{
    const double around =
        std::max(std::abs(threshold), static_cast<double>(std::numeric_limits<float>::min()));
    m_table->SetTableRange(threshold - around, threshold + around);
}

} // namespace gridhelm::ui
