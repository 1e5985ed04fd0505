// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluated fields as arrays for NumPy (.npz).
#pragma once

#include "app/cli/evaluated_mesh.h"
#include "core/support/output_file.h"
#include "data/support/numpy_archive.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::cli {

/// The fields at many parameters, row by row, in one file that appears whole by commit() or not at
/// all. Its arrays, where K are the study's entities (points or cells) and C components:
///
///     NAME            float32 (rows, K[, C])   each field, by its name; float64 if values are
///                                              large beside what they differ by (data::Field)
///     NAME_indicator  the same shape           if asked for
///     parameters      float64 (rows, P)
///     parameter_names, parameter_units         texts (P)
///     field_names, field_units                 texts, of the fields as the study calls them
///     nodes           float64 (points, 3)      where fields at points are
///     cell_centres    float64 (cells, 3)       where fields in cells are, if there are any
///     node_shape      int64 (3)                nz, ny, nx, if the mesh is a grid
class FieldsArchive
{
public:
    /// Throws Error if the file cannot be written, or has no room on its disk.
    FieldsArchive(const std::filesystem::path &path, const StudyEvaluation &study, vtkDataSet &mesh,
                  std::size_t rows, IndicatorFields indicators);

    const std::filesystem::path &path() const { return m_file.path(); }
    std::uint64_t bytes() const { return m_archive->bytes(); }

    /// The next row. `values`: its parameters.
    void add(const EvaluatedFields &result, std::span<const double> values);
    /// When all rows are there.
    void commit();

private:
    OutputFile m_file;
    std::optional<data::NumpyArchive> m_archive;
    IndicatorFields m_indicators;
    std::size_t m_parameters = 0; ///< which array that is
    std::vector<std::size_t> m_fields;
    std::vector<std::size_t> m_indicatorFields;
    std::vector<std::array<std::size_t, 2>> m_bands; ///< of each field, see data::bandNumbers()
};

} // namespace gridhelm::cli
