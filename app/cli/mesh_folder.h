// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/mesh_collection.h"
#include "core/parameters/parameter_space.h"

#include <vtkDataSet.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// A folder with one mesh file for each row of a table of parameters: fields_0000.vti ...,
/// index.csv that says which parameters each has, and fields.pvd, which ParaView opens as a series
/// whose time is the number of the row. They come into the folder by commit(), index.csv last;
/// until then they are in a folder with a temporary name in there, which goes if this does.
class MeshFolder
{
public:
    /// Makes the folder if it is not there. Throws Error if it cannot be written to, and if it is
    /// not empty; with `overwrite`, one that holds nothing but such files is emptied by commit().
    /// `rows`: how many there will be, so that names have digits enough to sort.
    MeshFolder(std::filesystem::path folder, const ParameterSpace &space, std::string extension,
               std::size_t rows, bool overwrite);
    ~MeshFolder();
    MeshFolder(const MeshFolder &) = delete;
    MeshFolder &operator=(const MeshFolder &) = delete;

    const std::filesystem::path &path() const { return m_folder; }
    std::filesystem::path collection() const { return m_folder / "fields.pvd"; }
    std::filesystem::path index() const { return m_folder / "index.csv"; }
    std::size_t files() const { return m_entries.size(); }
    std::uint64_t bytes() const { return m_bytes; } ///< of the mesh files

    /// Writes the next row's file. `values`: its parameters.
    void add(std::span<const double> values, vtkDataSet &data);
    void commit();

private:
    void requireReplaceable(bool overwrite) const;
    void removeOld() const;

    std::filesystem::path m_folder;
    std::filesystem::path m_temporary;
    bool m_isNew = false;
    std::string m_extension;
    std::size_t m_digits;
    std::vector<CollectionEntry> m_entries;
    std::string m_index;
    std::uint64_t m_bytes = 0;
};

} // namespace gridhelm::cli
