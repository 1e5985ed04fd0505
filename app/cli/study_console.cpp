// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_console.h"

#include "app/cli/output.h"

#ifdef GRIDHELM_HAS_VTK
#include "data/mesh/campaign_files.h"
#endif

namespace gridhelm::cli {

std::string shellText(const std::filesystem::path &path)
{
    const auto text = path.string();
    if (text.find_first_of(" \t\n'\"\\$`&|;()<>*?[]#~!{}") == std::string::npos)
        return text;
    std::string quoted = "'";
    for (char c : text)
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    return quoted + "'";
}

data::Study openStudy(const std::filesystem::path &path)
{
    auto study = data::Study::open(path);
    printNote(study.notice());
    return study;
}

void closeStudy(data::StudyWriter &writer)
{
    printNote(writer.close());
}

void printNote(const std::string &sentence)
{
    if (!sentence.empty())
        printMessage("gridhelm-cli: note: " + sentence + ".\n");
}

data::MeshFiles meshFiles()
{
#ifdef GRIDHELM_HAS_VTK
    return data::meshFilesThroughVtk();
#else
    return {};
#endif
}

} // namespace gridhelm::cli
