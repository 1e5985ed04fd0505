// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkPoints.h>
#include <vtkType.h>

#include <array>
#include <string>
#include <vector>

namespace gridhelm::data {

/// The cells of an unstructured mesh, as they are encoded.
struct CellList
{
    std::vector<unsigned char> types;
    std::vector<vtkIdType> offsets{0};
    std::vector<vtkIdType> connectivity;
    std::vector<vtkIdType> faceLocations; ///< of every cell, -1 without; empty: no polyhedra
    std::vector<vtkIdType> faces;
};

/// How many points a cell of this type has: {least, most}; {1, 0} for types that are not taken.
std::array<vtkIdType, 2> pointsOfCell(int type);

/// Empty if VTK can walk through these cells, else what is wrong: "a face with a point that does
/// not belong to its cell".
std::string problemOf(const CellList &cells, vtkPoints &points);

} // namespace gridhelm::data
