// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/view_settings.h"

#include "core/support/error.h"

#include <string>

namespace gridhelm::ui {

std::string_view toString(Seeds seeds)
{
    switch (seeds) {
    case Seeds::everywhere:
        return "everywhere";
    case Seeds::alongX:
        return "x";
    case Seeds::alongY:
        return "y";
    case Seeds::alongZ:
        return "z";
    }
    return "";
}

Seeds parseSeeds(std::string_view name)
{
    for (const Seeds seeds : {Seeds::everywhere, Seeds::alongX, Seeds::alongY, Seeds::alongZ})
        if (toString(seeds) == name)
            return seeds;
    throw Error("streamlines cannot begin at '" + std::string(name)
                + "'; choose everywhere, or x, y or z for a line along that axis");
}

} // namespace gridhelm::ui
