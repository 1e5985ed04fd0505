// SPDX-License-Identifier: GPL-3.0-or-later
//
// Built instead of the commands that need the simulation database, where its libraries are missing.
#include "app/cli/commands.h"
#include "app/cli/missing_command.h"

namespace gridhelm::cli {

namespace {

void addMissing(CLI::App &parent, const std::string &name)
{
    addMissingCommand(parent, name, "the simulation database", "core data");
}

} // namespace

void addCommandsWithoutData(CLI::App &parent)
{
    for (const std::string name : {"plan", "run", "compress", "grow", "refine", "suggest", "info",
                                   "check", "compact", "copy", "import", "sample", "generate", "cluster"})
        addMissing(parent, name);
}

void addSolveStencilCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "stencil");
}

void addBenchDataCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "data");
}

void addBenchStencilsCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "stencils");
}

void addBenchTuningCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "tuning");
}

void addBenchFrameCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "frame");
}

void addBenchAccuracyCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "accuracy");
}

void addBenchLevelsCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "levels");
}

void addBenchCoverageCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "coverage");
}

} // namespace gridhelm::cli
