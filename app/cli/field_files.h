// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where eval writes whole fields: one mesh file, a folder of them, an archive for NumPy.
#pragma once

#include "app/cli/evaluated_mesh.h"
#include "app/cli/fields_archive.h"
#include "app/cli/mesh_folder.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace gridhelm::cli {

struct FieldFilesOptions
{
    std::string output; ///< a mesh file or an archive; may be empty, as
    std::string folder;
    bool overwrite = false; ///< of the folder
    bool indicator = false;
};

/// Whether that is an archive's name (.npz).
bool isArchive(const std::string &path);

/// All of it appears by commit(), or nothing does.
class FieldFiles
{
public:
    /// Throws Error for what cannot be written.
    FieldFiles(const FieldFilesOptions &options, const StudyEvaluation &study, std::size_t rows);

    /// Without fields, until a row was added.
    vtkDataSet &mesh() const { return m_mesh.data(); }

    bool areWanted() const { return m_file || m_folder || m_archive; }
    void add(const EvaluatedFields &result, std::span<const double> values);
    void commit();

    /// What was written, one line each.
    std::string text() const;
    /// Adds it to a document.
    void describe(nlohmann::json &document) const;

private:
    EvaluatedMesh m_mesh;
    std::size_t m_rows;
    std::optional<OutputFile> m_file;
    std::optional<MeshFolder> m_folder;
    std::optional<FieldsArchive> m_archive;
};

} // namespace gridhelm::cli
