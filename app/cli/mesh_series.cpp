// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mesh_series.h"

#include "app/cli/mesh_collection.h"
#include "core/support/error.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>

#include <unistd.h>
#include <utility>

namespace gridhelm::cli {
namespace {

namespace fs = std::filesystem;

/// Nothing that is not a series of this name may be lost.
void requireReplaceable(const fs::path &pvd, const fs::path &folder, bool overwrite)
{
    std::error_code failed;
    const auto status = fs::symlink_status(folder, failed);
    const bool hasFolder = fs::exists(status);
    if (hasFolder && !fs::is_directory(status))
        throw Error(fmt::format("{} is in the way: the series needs a folder of this name, choose "
                                "another --out",
                                folder.string()));
    const bool isEmpty = !hasFolder || fs::is_empty(folder, failed);
    if (!overwrite && (fs::exists(pvd, failed) || !isEmpty))
        throw Error(
            fmt::format("{} is there already: choose another name, or replace it with "
                        "--overwrite",
                        fs::exists(pvd, failed) ? pvd.string() : "the folder " + folder.string()));
    if (!hasFolder)
        return;
    for (const auto &entry : fs::directory_iterator(folder, failed))
        if (!isFileOfSeries(entry.path(), pvd.stem()))
            throw Error(
                fmt::format("the folder {} also holds {}, which is not part of a series, so "
                            "it is not replaced: choose another --out",
                            folder.string(), entry.path().filename().string()));
    if (failed)
        throwFolderError(folder, failed);
}

} // namespace

MeshSeries::MeshSeries(const fs::path &pvd, std::string extension, bool overwrite)
    : m_pvd(pvd)
    , m_folder(pvd.parent_path() / pvd.stem())
    , m_extension(std::move(extension))
{
    if (pvd.extension() != ".pvd")
        throw Error(fmt::format("{} cannot hold a series: give a name that ends in .pvd, its files "
                                "come into a folder beside it",
                                pvd.string()));
    requireWritable(pvd);
    requireReplaceable(m_pvd, m_folder, overwrite);
    auto temporary = m_folder;
    temporary += fmt::format(".{}.part", getpid());
    std::error_code failed;
    if (!fs::create_directory(temporary, failed))
        throwFolderError(m_folder, failed ? failed : std::make_error_code(std::errc::file_exists));
    m_temporary = std::move(temporary);
}

MeshSeries::~MeshSeries()
{
    std::error_code ignored;
    if (!m_temporary.empty())
        fs::remove_all(m_temporary, ignored);
}

std::string MeshSeries::fileName(std::size_t index) const
{
    return fmt::format("{}_{:04}{}", m_pvd.stem().string(), index, m_extension);
}

void MeshSeries::add(double time, vtkDataSet &data)
{
    const auto path = m_temporary / fileName(m_times.size());
    data::writeDataSet(path, data, m_folder / path.filename());
    std::error_code failed;
    m_bytes += fs::file_size(path, failed);
    if (failed)
        throwFolderError(m_folder, failed);
    m_times.push_back(time);
}

std::string MeshSeries::collection() const
{
    std::vector<CollectionEntry> entries;
    for (std::size_t i = 0; i < m_times.size(); ++i)
        entries.push_back({m_times[i], (m_folder.filename() / fileName(i)).string()});
    return collectionText(entries);
}

void MeshSeries::commit()
{
    OutputFile pvd(m_pvd);
    TextSink sink(&pvd);
    sink.write(collection());
    sink.close();

    // An old .pvd must not show new files, so it goes first: whoever is stopped in between leaves
    // no series that looks complete.
    std::error_code failed;
    fs::remove(pvd.path(), failed);
    auto old = m_folder;
    old += fmt::format(".{}.old", getpid());
    std::error_code unknown;
    const bool replaces = fs::exists(fs::symlink_status(m_folder, unknown));
    if (!failed && replaces)
        fs::rename(m_folder, old, failed);
    if (!failed)
        fs::rename(m_temporary, m_folder, failed);
    if (failed)
        throwFolderError(m_folder, failed);
    m_temporary.clear();
    pvd.commit();
    fs::remove_all(old, failed);
}

} // namespace gridhelm::cli
