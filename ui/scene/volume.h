// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/colour_table.h"
#include "ui/scene/mesh_sampling.h"

#include <vtkCellDataToPointData.h>
#include <vtkFixedPointVolumeRayCastMapper.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkSmartPointer.h>
#include <vtkVolume.h>

#include <memory>

namespace gridhelm::ui {

/// A solid mesh as a cloud: the higher the value, the more opaque; where the lowest value is, and
/// where values are no numbers, there is nothing. Rays are cast on the processor, which is faster
/// than OpenGL in software.
class Volume
{
public:
    Volume(vtkDataSet &mesh, std::shared_ptr<const MeshSampling> sampling,
           data::Association association);

    /// One number of each entity of the mesh.
    void setValues(std::span<const float> shown, const ColourScale &scale);
    /// `opacity` of the highest value, on a way of a tenth of the mesh's longest side.
    void setColours(const ColourScale &scale, double opacity);
    /// Coarser while something moves.
    void setMoving(bool isMoving);

    vtkVolume &prop() const { return *m_volume; }

private:
    std::shared_ptr<const MeshSampling> m_sampling;
    vtkSmartPointer<vtkDataSet> m_cells;      ///< the mesh with values of its cells
    vtkSmartPointer<vtkFloatArray> m_ofCells; ///< null if the values are at points
    vtkSmartPointer<vtkCellDataToPointData> m_toPoints;
    std::vector<float> m_sampled;
    vtkSmartPointer<vtkImageData> m_image;
    vtkSmartPointer<vtkFixedPointVolumeRayCastMapper> m_mapper;
    vtkSmartPointer<vtkVolume> m_volume;
};

} // namespace gridhelm::ui
