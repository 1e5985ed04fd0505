// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>
#include <vtkStaticCellLocator.h>

#include <array>
#include <cstdint>

namespace gridhelm::data {

/// A point or a cell of a mesh.
struct MeshEntity
{
    std::uint64_t number = 0;
    std::array<double, 3> place{}; ///< of the point, or the cell's centre
};

/// Finds what lies nearest to places. One thread at a time; the first search takes longest.
class EntityFinder
{
public:
    /// Keeps the data set. It must have points, and cells.
    explicit EntityFinder(vtkSmartPointer<vtkDataSet> data);

    /// The nearest point.
    MeshEntity pointNear(const std::array<double, 3> &place);
    /// The cell that holds the place, the upper one between two; the nearest one if it is outside
    /// of the mesh.
    MeshEntity cellNear(const std::array<double, 3> &place);
    /// The one that carries values of this kind.
    MeshEntity near(const std::array<double, 3> &place, Association association);

private:
    vtkSmartPointer<vtkDataSet> m_data;
    vtkSmartPointer<vtkStaticCellLocator> m_cells;
};

} // namespace gridhelm::data
