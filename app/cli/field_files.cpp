// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/field_files.h"

#include "app/cli/study_console.h"
#include "core/support/bytes_text.h"
#include "core/support/error.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gridhelm::cli {
namespace {

void requireExtension(const std::string &path, const data::Mesh &mesh)
{
    const auto wanted = data::extensionFor(mesh);
    if (std::filesystem::path(path).extension() != wanted)
        throw Error(fmt::format("{} cannot hold this study's mesh ({}): give a name that ends in "
                                "{}, or in .npz for NumPy",
                                path, mesh.kind, wanted));
}

} // namespace

bool isArchive(const std::string &path)
{
    return std::filesystem::path(path).extension() == ".npz";
}

FieldFiles::FieldFiles(const FieldFilesOptions &options, const StudyEvaluation &study,
                       std::size_t rows)
    : m_mesh(study, options.indicator ? IndicatorFields::written : IndicatorFields::left)
    , m_rows(rows)
{
    if (isArchive(options.output)) {
        m_archive.emplace(options.output, study, mesh(), rows,
                          options.indicator ? IndicatorFields::written : IndicatorFields::left);
    } else if (!options.output.empty()) {
        requireExtension(options.output, *study.mesh());
        m_file.emplace(options.output);
    }
    if (!options.folder.empty())
        m_folder.emplace(options.folder, study.parameters(), data::extensionFor(*study.mesh()),
                         rows, options.overwrite);
}

void FieldFiles::add(const EvaluatedFields &result, std::span<const double> values)
{
    if (m_archive)
        m_archive->add(result, values);
    if (!m_file && !m_folder)
        return;
    m_mesh.set(result, values);
    if (m_folder)
        m_folder->add(values, mesh());
    if (m_file)
        data::writeDataSet(m_file->temporaryPath(), mesh(), m_file->path());
}

void FieldFiles::commit()
{
    if (m_folder)
        m_folder->commit();
    if (m_archive)
        m_archive->commit();
    if (m_file)
        m_file->commit();
}

std::string FieldFiles::text() const
{
    std::string text;
    if (m_file)
        text += fmt::format("wrote {}\n", m_file->path().string());
    if (m_archive)
        text += fmt::format("wrote {}: {}, {}\n"
                            "read it with: numpy.load(\"{}\")\n",
                            m_archive->path().string(), countText(m_rows, "row"),
                            bytesText(static_cast<double>(m_archive->bytes())),
                            m_archive->path().string());
    if (m_folder)
        text +=
            fmt::format("wrote {}: {}, {}; {} says which parameters each has\n"
                        "open them with: paraview {}\n",
                        m_folder->path().string(), countText(m_folder->files(), "file"),
                        bytesText(static_cast<double>(m_folder->bytes())),
                        m_folder->index().filename().string(), shellText(m_folder->collection()));
    return text;
}

void FieldFiles::describe(nlohmann::json &document) const
{
    if (m_archive)
        document["archive"] = {
            {"path", m_archive->path().string()}, {"rows", m_rows}, {"bytes", m_archive->bytes()}};
    if (m_folder)
        document["folder"] = {{"path", m_folder->path().string()},
                              {"files", m_folder->files()},
                              {"bytes", m_folder->bytes()},
                              {"index", m_folder->index().string()},
                              {"collection", m_folder->collection().string()}};
}

} // namespace gridhelm::cli
