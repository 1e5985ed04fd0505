// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkType.h>

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

/// Empty if VTK can walk through these cells, else what is wrong: "a face with a point that does
/// not exist".
std::string problemOf(const CellList &cells, vtkIdType points);

} // namespace gridhelm::data
