// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/mesh_in_view.h"

#include "ui/steering/field_frame.h"
#include "ui/viewer/scene_widget.h"

#include <utility>

namespace gridhelm::ui {

QString studyInView(const SteeredView &view)
{
    return view.frame() && view.sceneWidget()
               ? QString::fromStdString(view.frame()->study->path.string())
               : QString();
}

std::optional<MeshInView> meshInView(const SteeredView &view)
{
    if (studyInView(view).isEmpty())
        return {};
    const auto &frame = *view.frame();
    const auto &field = frame.study->fields[frame.request.field];
    MeshInView seen{field.name, {}};
    auto entities = view.sceneWidget()->inSight();
    if (entities.size() < field.entities) {
        auto &region = seen.region.emplace();
        (field.association == data::Association::point ? region.points : region.cells) =
            std::move(entities);
    }
    return seen;
}

} // namespace gridhelm::ui
