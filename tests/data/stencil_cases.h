// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stencil/stencil.h"
#include "data/stencil/stencil_file.h"
#include "tests/data/text_files.h"
#include "tests/support/paths.h"

#include <QString>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <string>
#include <vector>

namespace gridhelm::test {

/// Where the examples are that come with the program. Elsewhere than where they were built, tests are
/// run in the repository's folder.
inline std::filesystem::path stencilFolder()
{
    const auto folder = std::filesystem::path(paths::source) / "data/examples/stencils";
    return std::filesystem::exists(folder) ? folder : "data/examples/stencils";
}

/// The examples that come with the program, by name.
inline std::vector<std::filesystem::path> stencilExamples()
{
    std::vector<std::filesystem::path> files;
    for (const auto &entry : std::filesystem::directory_iterator(stencilFolder()))
        files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// Columns "file" and "isFloat", and all examples in both precisions.
inline void addExampleRows()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<bool>("isFloat");
    for (const auto &example : stencilExamples()) {
        for (const bool isFloat : {true, false})
            QTest::addRow("%s, %s", example.stem().c_str(), isFloat ? "float" : "double")
                << QString::fromStdString(example.string()) << isFloat;
    }
}

/// An example on a grid whose sizes are no multiple of anything.
inline stencil::Stencil smallExample(const std::filesystem::path &file)
{
    const bool is3D = data::readStencil(file).stencil.dimension == 3;
    auto text = std::regex_replace(textIn(file), std::regex("points = \\[[^\\]]*\\]"),
                                   is3D ? "points = [37, 23, 19]" : "points = [131, 67]");
    text = std::regex_replace(text, std::regex("(spacing|origin) = [^\n]*\n"), "");
    return data::parseStencil(text, file.string(), file.parent_path()).stencil;
}

} // namespace gridhelm::test
