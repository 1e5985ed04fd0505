// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "core/support/brief_spinning.h"

int main(int argc, char **argv)
{
    gridhelm::spinBriefly(argv);
    return gridhelm::cli::runCommandLine(argc, argv);
}
