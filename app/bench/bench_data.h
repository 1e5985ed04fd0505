// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/commands.h"

namespace gridhelm::cli {

/// `bench data`. Without the simulation database: a command of this name that says so.
void addBenchDataCommand(CLI::App &parent, const GlobalOptions &global);

} // namespace gridhelm::cli
