// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>
#include <vtkFloatArray.h>
#include <vtkPolyData.h>
#include <vtkSmartPointer.h>

#include <map>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// The outer surface of a mesh (all of it, if its cells are flat). It is found once; new values are
/// copied to it, which takes microseconds where finding it again takes seconds. Every point of it
/// is one of the mesh; of quadratic cells it has the corners.
class OuterSurface
{
public:
    explicit OuterSurface(vtkDataSet &mesh);

    /// Carries the values last set as active scalars.
    vtkPolyData *polyData() const { return m_surface; }

    /// Of the mesh, for every point or cell of the surface.
    const std::vector<vtkIdType> &ids(data::Association association) const
    {
        return association == data::Association::point ? m_points : m_cells;
    }

    /// One value for each point or cell of the mesh.
    void setValues(std::span<const float> shown, data::Association association);
    /// Its points go where those of the mesh have gone.
    void follow(vtkDataSet &mesh);
    /// Others beside them, under a name; several adjacent components, perhaps.
    void setBeside(const char *name, std::span<const float> values, data::Association association,
                   int components = 1);
    void removeBeside(const char *name);

private:
    void fill(vtkFloatArray &array, std::span<const float> values,
              data::Association association) const;

    vtkSmartPointer<vtkPolyData> m_surface;
    std::vector<vtkIdType> m_points; ///< of the mesh, for every point of the surface
    std::vector<vtkIdType> m_cells;
    vtkSmartPointer<vtkFloatArray> m_values;
    std::map<std::string, vtkSmartPointer<vtkFloatArray>> m_beside; ///< by name
};

} // namespace gridhelm::ui
