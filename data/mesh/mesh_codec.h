// SPDX-License-Identifier: GPL-3.0-or-later
//
// VTK's data sets as a study keeps them. Equal meshes of one kind give equal bytes, whichever file
// they come from, but for the spacing of a flat image across its plane, which files may leave open:
// differenceOfMeshes() (snapshot_file.h) compares. Kinds: "image" (image_mesh.h), "rectilinear",
// "structured", "unstructured" (polygonal data as well). Little-endian:
//     rectilinear   u64 points[3], then the coordinates x, y, z as float64
//     structured    u64 points[3], then x y z of every point as float64
//     unstructured  u64 points, cells, connectivity, faces (0 unless there are polyhedra);
//                   x y z of every point as float64; for every cell its VTK type as u8; cells + 1
//                   offsets, then point indices as i64; face locations and faces as VTK has them
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

namespace gridhelm::data {

/// Throws gridhelm::Error for meshes that are empty or broken (cells naming points that do not
/// exist, coordinates that are no numbers).
Mesh encodeMesh(vtkDataSet &data);

/// What encodeMesh() refuses, without encoding: whether VTK can walk through the mesh.
void requireSoundMesh(vtkDataSet &data);

/// Throws gridhelm::Error if the bytes are damaged.
vtkSmartPointer<vtkDataSet> decodeMesh(const Mesh &mesh);

} // namespace gridhelm::data
