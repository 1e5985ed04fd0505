// SPDX-License-Identifier: GPL-3.0-or-later
//
// Snapshots from mesh files, through VTK's readers: .vti .vtr .vts .vtu .vtp .vtm, series of these
// (.pvd, .series), legacy .vtk, OpenFOAM cases (.foam, or the case's system/controlDict).
#pragma once

#include "data/mesh/run_snapshot.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace gridhelm::data {

/// All time steps of a file or series (one for single files), as they are listed. visit is called
/// one after the other, so memory holds one. Several blocks become one unstructured mesh: those of
/// the highest cell dimension, with the arrays that all of them have: point arrays, then cell
/// arrays; "_cell" is added to a cell array that is called like a point array. A file that does not
/// say its time has 0.
///
/// VTK's readers may crash or hang on damaged files, so they run in a child process whose time and
/// memory are limited; files are opened for reading only. Throws gridhelm::Error for everything
/// that cannot be read, and ReadingStopped within 0.2 s after `stop` was asked for; what visit
/// throws is passed on.
void readSnapshotFile(const std::filesystem::path &path,
                      const std::function<void(RunSnapshot &&)> &visit,
                      const std::stop_token &stop = {});

/// A sentence why they differ, for the user; empty if they are equal. Coordinates count as equal
/// within 1e-6 of the mesh's extent, as files may hold them in single precision.
std::string differenceOfMeshes(const Mesh &expected, const Mesh &other);

/// Point and cell fields (cell values at the cells' centres) of `other` interpolated onto `mesh`.
/// Throws gridhelm::Error, with how many, when points of `mesh` are outside of the other mesh.
RunSnapshot resampleOnto(const Mesh &mesh, const RunSnapshot &other);

} // namespace gridhelm::data
