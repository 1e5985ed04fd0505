// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/field_in_view.h"

#include "data/mesh/field_at_places.h"

namespace gridhelm::ui {

std::optional<ShownField> fieldInView(const SteeredView &view)
{
    const auto &frame = view.frame();
    if (!frame)
        return std::nullopt;
    const auto &field = frame->study->fields[frame->request.field];
    const auto name = QString::fromStdString(
        field.name + " at " + frame->study->parameters.toText(frame->request.parameters));
    return ShownField{name, [frame](std::span<const double> places) {
                          return data::fieldAtPlaces(*frame->study->mesh, frame->geometry,
                                                     frame->study->fields[frame->request.field],
                                                     frame->values, places);
                      }};
}

} // namespace gridhelm::ui
