// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mesh_folder.h"

#include "app/cli/eval_report.h"
#include "app/cli/output.h"
#include "core/support/error.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <unistd.h>
#include <utility>

namespace gridhelm::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char *seriesName = "fields";

/// Also what a killed program has left.
bool isOurs(const fs::path &entry)
{
    const auto name = entry.filename().string();
    return isFileOfSeries(entry, seriesName) || name == "index.csv" || name == "fields.pvd"
           || (name.starts_with("fields.") && name.ends_with(".part"));
}

} // namespace

MeshFolder::MeshFolder(fs::path folder, const ParameterSpace &space, std::string extension,
                       std::size_t rows, bool overwrite)
    : m_folder(std::move(folder))
    , m_extension(std::move(extension))
    , m_digits(std::max<std::size_t>(4, std::to_string(rows - 1).size()))
    , m_index("file")
{
    std::error_code failed;
    m_isNew = !fs::exists(m_folder, failed);
    if (!m_isNew)
        requireReplaceable(overwrite);
    else if (!failed)
        fs::create_directory(m_folder, failed);
    if (failed)
        throwFolderError(m_folder, failed);
    auto temporary = m_folder / fmt::format("fields.{}.part", getpid());
    if (!fs::create_directory(temporary, failed)) {
        std::error_code ignored;
        if (m_isNew) // without an object there is no destructor
            fs::remove(m_folder, ignored);
        throwFolderError(m_folder, failed ? failed : std::make_error_code(std::errc::file_exists));
    }
    m_temporary = std::move(temporary);
    for (const auto &parameter : space.parameters())
        m_index += "," + columnName(parameter.name, parameter.unit);
    m_index += '\n';
}

MeshFolder::~MeshFolder()
{
    std::error_code ignored;
    if (!m_temporary.empty())
        fs::remove_all(m_temporary, ignored);
    if (m_isNew)
        fs::remove(m_folder, ignored); // only if it is empty
}

/// Nothing that is not of such a folder may be lost, and nothing old be mixed with what is new.
void MeshFolder::requireReplaceable(bool overwrite) const
{
    std::error_code failed;
    if (!fs::is_directory(m_folder, failed))
        throw Error(fmt::format("{} is not a folder: give --out-dir the name of a new one",
                                m_folder.string()));
    if (!overwrite && !fs::is_empty(m_folder, failed) && !failed)
        throw Error(fmt::format("the folder {} is not empty: choose another name, or replace what "
                                "eval has written there with --overwrite",
                                m_folder.string()));
    for (const auto &entry : fs::directory_iterator(m_folder, failed))
        if (!isOurs(entry.path()))
            throw Error(fmt::format("the folder {} also holds {}, which eval has not written, so "
                                    "it is not replaced: choose another --out-dir",
                                    m_folder.string(), entry.path().filename().string()));
    if (failed)
        throwFolderError(m_folder, failed);
}

void MeshFolder::add(std::span<const double> values, vtkDataSet &data)
{
    const auto row = m_entries.size();
    const auto name = fmt::format("{}_{:0{}}{}", seriesName, row, m_digits, m_extension);
    data::writeDataSet(m_temporary / name, data, m_folder / name);
    std::error_code failed;
    m_bytes += fs::file_size(m_temporary / name, failed);
    if (failed)
        throwFolderError(m_folder, failed);
    m_index += name;
    for (const double value : values)
        m_index += fmt::format(",{}", value);
    m_index += '\n';
    m_entries.push_back({static_cast<double>(row), name});
}

/// The index goes first and comes last: without it, whoever reads programs' output can see that a
/// folder is not complete.
void MeshFolder::removeOld() const
{
    std::error_code failed;
    for (const auto &first : {index(), collection()})
        fs::remove(first, failed);
    std::vector<fs::path> old;
    for (const auto &entry : fs::directory_iterator(m_folder, failed))
        if (isOurs(entry.path()) && entry.path() != m_temporary)
            old.push_back(entry.path());
    for (const auto &path : old)
        if (!failed)
            fs::remove_all(path, failed);
    if (failed)
        throwFolderError(m_folder, failed);
}

void MeshFolder::commit()
{
    writeText((m_temporary / collection().filename()).string(), collectionText(m_entries));
    writeText((m_temporary / index().filename()).string(), m_index);
    removeOld();
    std::error_code failed;
    const auto move = [&](const fs::path &name) {
        if (!failed)
            fs::rename(m_temporary / name, m_folder / name, failed);
    };
    for (const auto &entry : m_entries)
        move(entry.file);
    move(collection().filename());
    move(index().filename());
    if (failed)
        throwFolderError(m_folder, failed);
    m_isNew = false;
}

} // namespace gridhelm::cli
