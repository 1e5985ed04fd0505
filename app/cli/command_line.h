// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::cli {

/// Parses the command line and runs the command. Results go to stdout; an error is one sentence on
/// stderr. Returns the exit code: 0 only on success, 2 for a command line that cannot be
/// understood, 1 for everything else.
int runCommandLine(int argc, char **argv);

} // namespace gridhelm::cli
