// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/error.h"

#include <CLI/CLI.hpp>

#include <string>

namespace gridhelm::cli {

/// A command that only says what it lacks; `packages` as .ci/install-packages calls them.
inline void addMissingCommand(CLI::App &parent, const std::string &name, const std::string &need,
                              const std::string &packages)
{
    CLI::App &command = *parent.add_subcommand(name, "(not built in: needs " + need + ")");
    command.allow_extras();
    command.fallthrough(false); // or the program would get what it does not know, and refuse it
    command.callback([name, need, packages] {
        throw Error("\"" + name + "\" needs " + need
                    + ", and this program was built without it; install the packages of "
                      ".ci/install-packages "
                    + packages + ", and build again");
    });
}

} // namespace gridhelm::cli
