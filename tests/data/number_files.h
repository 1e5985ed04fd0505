// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"
#include "data/mesh/snapshot_reader.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <stop_token>

/// Files that hold a number, as a field of one value.
inline gridhelm::data::MeshFiles numberFiles()
{
    using namespace gridhelm::data;
    MeshFiles files;
    files.read = [](const std::filesystem::path &path,
                    const std::function<void(RunSnapshot)> &visit, const std::stop_token &) {
        std::ifstream file(path);
        float value = 0;
        if (!(file >> value))
            throw gridhelm::Error("there is no number in " + path.string());
        visit({{}, {"test", "one", 1, 0}, {{"value", "", 1, Association::point, 1}}, {{value}}});
    };
    return files;
}
