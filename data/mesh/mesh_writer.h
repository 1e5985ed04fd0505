// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <vtkDataSet.h>
#include <vtkSmartPointer.h>

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// ".vti", ".vtr", ".vts" or ".vtu": VTK's XML format for this mesh.
std::string extensionFor(const Mesh &mesh);

/// The mesh with fields on it; values[f] belongs to fields[f]. Throws gridhelm::Error if their
/// lengths do not go with the mesh.
vtkSmartPointer<vtkDataSet> dataSetOf(const Mesh &mesh, const std::vector<Field> &fields,
                                      const std::vector<std::vector<float>> &values);

/// Adds a field to a data set on its mesh, or replaces the values of the one that has its name: in
/// single precision, or in double where `values`, as a study stores them, stand for others (Field).
/// Throws as dataSetOf().
void setField(vtkDataSet &data, const Field &field, std::span<const float> values);

/// A number that belongs to the data set as a whole (VTK's field data): a parameter's value.
/// Without a value the data set has no such number any more.
void setNumber(vtkDataSet &data, const std::string &name, std::optional<double> value);

/// Marks the nodes with a negative distance as hidden (VTK's ghost array), and no others.
void hideNodes(vtkDataSet &data, std::span<const float> distance);

/// As XML holds it, between tags and in quotes.
std::string xmlText(std::string_view text);

/// As VTK XML, compressed, with names and units that any XML reader takes. Not atomic: write to a
/// temporary name and rename; errors then name `finalPath`.
void writeDataSet(const std::filesystem::path &path, vtkDataSet &data,
                  const std::filesystem::path &finalPath = {});

} // namespace gridhelm::data
