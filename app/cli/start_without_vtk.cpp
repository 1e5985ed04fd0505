// SPDX-License-Identifier: GPL-3.0-or-later
//
// Built instead of what reads studies' fields, where VTK is missing.
#include "app/cli/solve_start.h"
#include "core/support/error.h"

namespace gridhelm::cli {

solvers::FieldAtPlaces fieldOfStudy(const GlobalOptions &, const std::string &,
                                    const StartOptions &)
{
    throw Error("--start-at needs VTK, and this program was built without it; install the packages "
                "of .ci/install-packages core data vtk, and build again");
}

} // namespace gridhelm::cli
