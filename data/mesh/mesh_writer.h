// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::data {

/// ".vti", ".vtr", ".vts" or ".vtu": VTK's XML format for this mesh.
std::string extensionFor(const Mesh &mesh);

/// The mesh with fields on it; values[f] belongs to fields[f]. Throws gridhelm::Error if their
/// lengths do not go with the mesh.
vtkSmartPointer<vtkDataSet> dataSetOf(const Mesh &mesh, const std::vector<Field> &fields,
                                      const std::vector<std::vector<float>> &values);

/// As VTK XML, compressed. Not atomic: write to a temporary name and rename.
void writeDataSet(const std::filesystem::path &path, vtkDataSet &data);

/// Values of a field at places x, y, z, interpolated within the cell (cell fields: the cell's
/// value), components adjacent. Throws gridhelm::Error naming the first place outside of the mesh.
struct Probes
{
    std::vector<std::vector<float>> values; ///< of each field of the data set, as in `fields`
};
Probes probe(vtkDataSet &data, const std::vector<Field> &fields, const std::vector<double> &places);

} // namespace gridhelm::data
