// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/mesh_difference.h"

#include <vtkIdList.h>
#include <vtkNew.h>

namespace gridhelm::data {

std::string differenceOfCounts(const Mesh &expected, const Mesh &other)
{
    if (expected.points != other.points)
        return "The mesh has " + std::to_string(other.points) + " points, the study's "
               + std::to_string(expected.points);
    if (expected.cells != other.cells)
        return "The mesh has " + std::to_string(other.cells) + " cells, the study's "
               + std::to_string(expected.cells);
    return {};
}

std::string differenceOfCells(vtkDataSet &expected, vtkDataSet &other)
{
    vtkNew<vtkIdList> cell, counterpart;
    for (vtkIdType c = 0; c < expected.GetNumberOfCells(); ++c) {
        expected.GetCellPoints(c, cell);
        other.GetCellPoints(c, counterpart);
        bool isEqual = expected.GetCellType(c) == other.GetCellType(c)
                       && cell->GetNumberOfIds() == counterpart->GetNumberOfIds();
        for (vtkIdType p = 0; isEqual && p < cell->GetNumberOfIds(); ++p)
            isEqual = cell->GetId(p) == counterpart->GetId(p);
        if (!isEqual)
            return "The mesh's cell " + std::to_string(c) + " joins other points than the study's";
    }
    return {};
}

} // namespace gridhelm::data
