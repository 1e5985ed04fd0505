// SPDX-License-Identifier: GPL-3.0-or-later
//
// What folders of mesh files have in common: export's series and eval's rows.
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace gridhelm::cli {

struct CollectionEntry
{
    double time = 0;
    std::string file; ///< relative to the collection's folder
};

/// A ParaView collection (.pvd): files that are opened as one series.
std::string collectionText(const std::vector<CollectionEntry> &entries);

/// "flow_0012.vti": a mesh file with a number, in a series called flow.
bool isFileOfSeries(const std::filesystem::path &file, const std::string &name);

[[noreturn]] void throwFolderError(const std::filesystem::path &folder, const std::error_code &why);

} // namespace gridhelm::cli
