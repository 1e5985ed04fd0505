// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a mesh can be, without VTK: to be asked before memory is allocated for what a file says of
// itself, and before VTK computes with it.
#pragma once

#include "data/study/study_types.h"

#include <span>
#include <string_view>

namespace gridhelm::data {

/// The most bytes that Mesh::encoded takes for a mesh of this kind (mesh_codec.h). Of unstructured
/// ones, corners of cells and faces are counted with 16 for each point and 256 for each cell
/// together (a polyhedron of 14 hexagonal faces has 123). Of kinds that are not known, as if they
/// were unstructured.
std::uint64_t largestEncodedSize(std::string_view kind, std::uint64_t points, std::uint64_t cells);

/// Throws gridhelm::Error if a mesh cannot take that many bytes, or if they are more than a quarter
/// of the memory that is available. To be called before they are allocated.
void requireEncodedSize(std::string_view kind, std::uint64_t points, std::uint64_t cells,
                        std::uint64_t size);

/// Throws gridhelm::Error unless every field has as many entities as the mesh has points or cells.
void requireFieldsOnMesh(const Mesh &mesh, std::span<const Field> fields);

/// No larger than 1e30, so that VTK can square it, and turn it into single precision.
bool isSoundCoordinate(double x);

/// Whether `points` points from `origin` on, `spacing` apart, are sound coordinates which differ
/// from their neighbours.
bool isSoundAxis(double origin, double spacing, std::uint64_t points);

} // namespace gridhelm::data
