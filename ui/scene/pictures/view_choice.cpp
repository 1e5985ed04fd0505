// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/pictures/view_choice.h"

#include <fmt/format.h>

namespace gridhelm::ui {

std::string whyNot(ViewKind kind, bool isFlat, const data::Field &field)
{
    const bool isVector = field.components == 2 || field.components == 3;
    if ((kind == ViewKind::glyphs || kind == ViewKind::streamlines) && !isVector)
        return fmt::format(
            "{} need a vector field, of 2 or 3 components; {} has {}: choose another "
            "field, or another view",
            kind == ViewKind::glyphs ? "Glyphs" : "Streamlines", field.name, field.components);
    if (kind == ViewKind::volume && isFlat)
        return "A volume needs a solid mesh; this one is flat: choose another view, such as "
               "contour";
    return {};
}

} // namespace gridhelm::ui
