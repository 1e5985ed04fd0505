// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output.h"

#include <vtkDataSet.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// Mesh files that ParaView opens as one series: NAME.pvd, and the files NAME_0000.vti ... in the
/// folder NAME beside it. The series appears whole, by commit(), or not at all: until then its
/// files are in a folder with a temporary name, which goes if this does.
class MeshSeries
{
public:
    /// Throws Error if `pvd` does not end in .pvd or cannot be written, and if the file or a folder
    /// that is not empty is there already. With `overwrite`, a folder that holds nothing but such a
    /// series is replaced.
    MeshSeries(const std::filesystem::path &pvd, std::string extension, bool overwrite);
    ~MeshSeries();
    MeshSeries(const MeshSeries &) = delete;
    MeshSeries &operator=(const MeshSeries &) = delete;

    /// The folder with the files.
    const std::filesystem::path &folder() const { return m_folder; }
    std::uint64_t bytes() const { return m_bytes; }

    /// Writes the next file. `time`: where the series shows it.
    void add(double time, vtkDataSet &data);
    void commit();

private:
    std::string fileName(std::size_t index) const;
    std::string collection() const;

    std::filesystem::path m_pvd;
    std::filesystem::path m_folder;
    std::filesystem::path m_temporary;
    std::string m_extension;
    std::vector<double> m_times;
    std::uint64_t m_bytes = 0;
};

} // namespace gridhelm::cli
