// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <vtkActor.h>
#include <vtkAlgorithm.h>
#include <vtkLookupTable.h>
#include <vtkPolyDataMapper.h>
#include <vtkSmartPointer.h>

namespace gridhelm::ui {

/// Darkens what is drawn where an indicator is above a threshold.
class LowConfidenceOverlay
{
public:
    /// Of the array on the mesh and on its surface that holds the indicator.
    static constexpr const char *arrayName = "low confidence";

    LowConfidenceOverlay();

    vtkActor &actor() const { return *m_actor; }
    /// Polygonal data that carries the array.
    void setFaces(vtkAlgorithm &faces, data::Association association);
    /// Of the indicator, in the field's unit; below 0: everything is dark.
    void setThreshold(double threshold);

private:
    vtkSmartPointer<vtkLookupTable> m_table;
    vtkSmartPointer<vtkPolyDataMapper> m_mapper;
    vtkSmartPointer<vtkActor> m_actor;
};

} // namespace gridhelm::ui
