// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"
#include "ui/scene/colour/colour_table.h"
#include "ui/scene/drawing/pace.h"
#include "ui/scene/geometry/mesh_sampling.h"

#include <vtkCellDataToPointData.h>
#include <vtkFixedPointVolumeRayCastMapper.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkSmartPointer.h>
#include <vtkVolume.h>

#include <chrono>
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
    /// To be called before drawing: chooses, from how long the last picture has taken, how many
    /// pixels a ray is for. `pixels` is what the field has of the window.
    void setPace(Pace pace, double pixels);
    /// Pixels from ray to ray; 1: as good as it gets.
    double pixelsPerRay() const { return m_apart; }
    /// Those that setPace() would choose now.
    double pixelsPerRayAt(Pace pace, double pixels) const;

    /// Of a picture in which the field has so many pixels; 0: not known yet.
    double secondsWhenFull(double pixels) const { return m_perPixel * pixels; }

    vtkVolume &prop() const { return *m_volume; }

private:
    void makeMapper();
    void measure();

    std::shared_ptr<const MeshSampling> m_sampling;
    vtkSmartPointer<vtkDataSet> m_cells;      ///< the mesh with values of its cells
    vtkSmartPointer<vtkFloatArray> m_ofCells; ///< null if the values are at points
    vtkSmartPointer<vtkCellDataToPointData> m_toPoints;
    std::vector<float> m_sampled;
    vtkSmartPointer<vtkImageData> m_image;
    /// Made when it is needed first: by the thread that draws, as it takes a tenth of a second.
    vtkSmartPointer<vtkFixedPointVolumeRayCastMapper> m_mapper;
    vtkSmartPointer<vtkVolume> m_volume;
    double m_longest = 1; ///< side of the mesh
    double m_apart = 1;   ///< pixels from ray to ray
    double m_pixels = 0;  ///< that the field has
    std::chrono::steady_clock::time_point m_began;
    double m_perPixel = 0; ///< seconds for one ray; 0: not known yet
};

} // namespace gridhelm::ui
