// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/mesh_collection.h"

#include "core/support/error.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::cli {

std::string collectionText(const std::vector<CollectionEntry> &entries)
{
    std::string text = "<?xml version=\"1.0\"?>\n"
                       "<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n";
    for (const auto &entry : entries)
        text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", entry.time,
                            data::xmlText(entry.file));
    return text + "  </Collection>\n</VTKFile>\n";
}

bool isFileOfSeries(const std::filesystem::path &file, const std::string &name)
{
    const auto stem = file.stem().string();
    const auto extension = file.extension();
    return (extension == ".vti" || extension == ".vtr" || extension == ".vts"
            || extension == ".vtu")
           && stem.size() >= name.size() + 5 && stem.starts_with(name + "_")
           && std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(name.size()) + 1, stem.end(),
                          [](char c) { return c >= '0' && c <= '9'; });
}

void throwFolderError(const std::filesystem::path &folder, const std::error_code &why)
{
    throw Error(fmt::format("the folder {} could not be written ({}): check that it may be written "
                            "to and has space",
                            folder.string(), why.message()));
}

} // namespace gridhelm::cli
