// SPDX-License-Identifier: GPL-3.0-or-later
//
// Built instead of the commands that write fields and pictures, where VTK is missing.
#include "app/cli/commands.h"
#include "app/cli/missing_command.h"

namespace gridhelm::cli {

void addCommandsWithoutVtk(CLI::App &parent)
{
    for (const std::string name : {"eval", "export", "render", "responses", "sobol", "uncertainty",
                                   "optimize", "match", "report"})
        addMissingCommand(parent, name, "VTK", "core data vtk");
}

} // namespace gridhelm::cli
