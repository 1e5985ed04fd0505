// SPDX-License-Identifier: GPL-3.0-or-later
//
// Built instead of the commands that need the simulation database, where its libraries are missing.
#include "app/cli/commands.h"
#include "core/support/error.h"

namespace gridhelm::cli {

namespace {

void addMissing(CLI::App &parent, const std::string &name)
{
    CLI::App &command =
        *parent.add_subcommand(name, "(not built in: needs the simulation database)");
    command.allow_extras();
    command.callback([name] {
        throw Error("\"" + name
                    + "\" needs the simulation database, and this program was built without "
                      "it; install the packages of .ci/install-packages data, and build again");
    });
}

} // namespace

void addCommandsWithoutData(CLI::App &parent)
{
    for (const std::string name :
         {"plan", "run", "compress", "grow", "info", "check", "import", "sample"})
        addMissing(parent, name);
}

void addBenchDataCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "data");
}

void addBenchAccuracyCommand(CLI::App &parent, const GlobalOptions &)
{
    addMissing(parent, "accuracy");
}

} // namespace gridhelm::cli
