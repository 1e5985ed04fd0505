// SPDX-License-Identifier: GPL-3.0-or-later
//
// Images as meshes that do not say that they are images.
#pragma once

#include "data/mesh/mesh_codec.h"
#include "data/study/image_mesh.h"

#include <vtkCellType.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkUnstructuredGrid.h>

#include <algorithm>
#include <vector>

namespace gridhelm::test {

/// The same image as hexahedra, so that no structure is known.
inline data::Mesh unstructured(const data::ImageMesh &image)
{
    vtkNew<vtkUnstructuredGrid> grid;
    vtkNew<vtkPoints> points;
    const auto &n = image.points;
    const auto at = [&](std::size_t i, std::size_t j, std::size_t k) {
        return static_cast<vtkIdType>(i + n[0] * (j + n[1] * k));
    };
    for (std::size_t k = 0; k < n[2]; ++k)
        for (std::size_t j = 0; j < n[1]; ++j)
            for (std::size_t i = 0; i < n[0]; ++i)
                points->InsertNextPoint(image.origin[0] + image.spacing[0] * static_cast<double>(i),
                                        image.origin[1] + image.spacing[1] * static_cast<double>(j),
                                        image.origin[2]
                                            + image.spacing[2] * static_cast<double>(k));
    grid->SetPoints(points);
    grid->Allocate();
    for (std::size_t k = 0; k + 1 < std::max<std::size_t>(n[2], 2); ++k)
        for (std::size_t j = 0; j + 1 < n[1]; ++j)
            for (std::size_t i = 0; i + 1 < n[0]; ++i) {
                std::vector<vtkIdType> corners{at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k),
                                               at(i, j + 1, k)};
                if (n[2] > 1)
                    for (const auto corner : {at(i, j, k + 1), at(i + 1, j, k + 1),
                                              at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)})
                        corners.push_back(corner);
                grid->InsertNextCell(n[2] > 1 ? VTK_HEXAHEDRON : VTK_QUAD,
                                     static_cast<vtkIdType>(corners.size()), corners.data());
            }
    return data::encodeMesh(*grid);
}

/// As an image, or as a mesh that does not say that it is one.
inline data::Mesh meshOf(const data::ImageMesh &image, bool isImage)
{
    return isImage ? data::encodeImageMesh(image) : unstructured(image);
}

} // namespace gridhelm::test
