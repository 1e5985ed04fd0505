// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/view_settings.h"

#include "core/support/error.h"

#include <string>

namespace gridhelm::ui {

std::string_view toString(ViewKind kind)
{
    switch (kind) {
    case ViewKind::slice:
        return "slice";
    case ViewKind::contour:
        return "contour";
    case ViewKind::surface:
        return "surface";
    }
    return "";
}

ViewKind parseViewKind(std::string_view name)
{
    for (const ViewKind kind : {ViewKind::slice, ViewKind::contour, ViewKind::surface})
        if (toString(kind) == name)
            return kind;
    throw Error("there is no view '" + std::string(name)
                + "'; choose from slice, contour, surface");
}

} // namespace gridhelm::ui
