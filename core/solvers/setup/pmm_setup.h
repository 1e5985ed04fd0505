// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/pmm/pmm_problem.h"
#include "core/solvers/start_field.h"
#include "core/solvers/stepper.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::solvers {

/// A front and its medium as they were typed, in the forms that "gridhelm-cli solve pmm --help"
/// explains.
struct PmmSetup
{
    std::string nodes = "81";
    std::optional<std::string> spacing;
    std::string origin = "0,0,0";
    std::string speed = "1";     ///< F
    std::string advection = "0"; ///< psi
    std::string direction = "0,0,0";
    std::vector<std::string> points;
    std::optional<std::string> ball;
    std::optional<std::string> horizon;
    std::string known = "auto";
    std::string start;         ///< a file with times to begin with, or empty
    std::string startArray;    ///< of a .vti file; empty: its first one
    FieldAtPlaces startAt;     ///< instead of a file; may be empty
    std::string prefix = "--"; ///< as in PoissonSetup
};

/// Reads the files that it needs, and samples formulas. Throws gridhelm::Error for what is no
/// problem; that it can be solved is for the solver to find out.
PmmProblem pmmProblem(const PmmSetup &setup);

/// The names of PmmStepper's live parameters. Their ranges, which are 0 here, depend on each other.
std::vector<LiveParameter> pmmParameters(const PmmProblem &problem);

} // namespace gridhelm::solvers
