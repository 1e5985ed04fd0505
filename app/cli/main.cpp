// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.h"
#include "core/support/brief_spinning.h"
#include "core/support/output_file.h"
#include "core/support/temporary_folder.h"

int main(int argc, char **argv)
{
    gridhelm::spinBriefly(argv);
    gridhelm::forgetMissingTemporaryFolders();
    gridhelm::outliveFileSizeLimits();
    return gridhelm::cli::runCommandLine(argc, argv);
}
