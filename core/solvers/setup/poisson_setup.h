// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/poisson_problem.h"
#include "core/solvers/start_field.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::solvers {

/// The condition on one side, or on all.
struct SideSetup
{
    std::string side; ///< "x-low", ..., or "all"
    SideKind kind = SideKind::dirichlet;
    std::string value = "0";
};
/// "x-low=neumann:0". Throws gridhelm::Error; `what` names the place.
SideSetup parseSide(const std::string &text, const std::string &what);

/// A field that has a name, or is in a file.
struct NameOrFile
{
    std::string name;
    std::string file; ///< counts if it is not empty

    const std::string &text() const { return file.empty() ? name : file; }
};
/// As isFileName() has it.
NameOrFile nameOrFile(const std::string &text);

/// A Poisson problem as it was asked for. Texts are in the forms that "gridhelm-cli solve sor
/// --help" explains.
struct PoissonSetup
{
    std::string size = "512";
    std::optional<std::string> spacing;
    std::vector<SideSetup> sides;
    NameOrFile source{"spike", {}};
    std::string strength = "1";
    std::optional<std::string> sourcePosition;
    std::optional<std::string> waves;
    std::optional<NameOrFile> known;
    std::optional<std::string> radius; ///< of the gaussian, in longest sides
    std::string start;                 ///< a file, or empty
    std::string startArray;            ///< of a .vti file; empty: its first one
    FieldAtPlaces startAt;             ///< instead of a file; may be empty
    /// Of the options' names in messages: "--size" on a command line, "size" in a window.
    std::string prefix = "--";
};

/// Reads the files that it needs. Throws gridhelm::Error for what is no Poisson problem; that it is
/// soluble is for the solvers to find out.
PoissonProblem poissonProblem(const PoissonSetup &setup);

/// "512 x 512 unknowns, spacing 0.00195, source spike".
std::string describe(const PoissonProblem &problem, const PoissonSetup &setup);

/// "x-low", ...
std::string_view nameOf(Side side);
/// "dirichlet" or "neumann".
std::string_view nameOf(SideKind kind);

/// Iterations that may pass without progress: a multiple of what it takes to cross the grid.
std::uint64_t patienceFor(const PoissonProblem &problem);

} // namespace gridhelm::solvers
