// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/geometry/slice_surface.h"

#include <vtkPolyDataAlgorithm.h>

#include <memory>

namespace gridhelm::ui {

/// A slice with the values of its mesh, the input: for each array of single precision, one of its
/// own; for those of cells, if the slice knows its cells. The mesh must be the one that was cut.
class SlicedValues : public vtkPolyDataAlgorithm
{
public:
    static SlicedValues *New();
    vtkTypeMacro(SlicedValues, vtkPolyDataAlgorithm)

    /// With sources of its vertices.
    void setSlice(std::shared_ptr<const SliceSurface> slice);

protected:
    int FillInputPortInformation(int port, vtkInformation *information) override;
    int RequestData(vtkInformation *request, vtkInformationVector **inputs,
                    vtkInformationVector *outputs) override;

private:
    std::shared_ptr<const SliceSurface> m_slice;
};

} // namespace gridhelm::ui
