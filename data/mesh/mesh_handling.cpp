// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/mesh/mesh_handling.h"

namespace gridhelm::data {

std::string_view toString(MeshKind kind)
{
    switch (kind) {
    case MeshKind::shared:
        return "shared";
    case MeshKind::resampled:
        return "resampled";
    case MeshKind::moving:
        return "moving";
    case MeshKind::background:
        return "background";
    }
    return "unknown";
}

} // namespace gridhelm::data
