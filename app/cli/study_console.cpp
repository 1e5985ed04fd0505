// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/study_console.h"

#include "data/mesh/mesh_limits.h"

#ifdef GRIDHELM_HAS_VTK
#include "data/mesh/campaign_files.h"
#include "data/mesh/mesh_codec.h"
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

data::MeshFiles meshFiles()
{
#ifdef GRIDHELM_HAS_VTK
    return data::meshFilesThroughVtk();
#else
    return {};
#endif
}

void requireUsableMesh(const data::Study &study)
{
    const auto mesh = study.mesh();
    if (!mesh)
        return;
    if (study.description().kind == data::StudyKind::vector) // else fields are at grid points
        data::requireFieldsOnMesh(*mesh, study.fields());
#ifdef GRIDHELM_HAS_VTK
    data::decodeMesh(*mesh);
#endif
}

} // namespace gridhelm::cli
