// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/geometry/value_source.h"

namespace gridhelm::ui {

std::vector<ValueSource> sourcesAt(std::span<const vtkIdType> ids)
{
    std::vector<ValueSource> sources;
    sources.reserve(ids.size());
    for (const auto id : ids)
        sources.push_back({static_cast<std::uint32_t>(id), static_cast<std::uint32_t>(id), 0});
    return sources;
}

} // namespace gridhelm::ui
