// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/grid_options.h"

#include "core/sparse/boundary_treatment.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

namespace gridhelm::cli {

void addGridOptions(CLI::App &command, GridOptions &options)
{
    command.add_option("--dim", options.dimension, "Number of dimensions, 1 to 32")
        ->type_name("D")
        ->required();
    command.add_option("--level", options.level, "Refinement level, 1 to 30 (64 with leja)")
        ->type_name("N")
        ->required();
    command
        .add_option("--caps", options.caps,
                    "Level caps, one per dimension: fewer levels where the function is simple "
                    "(default: the level)")
        ->type_name("C1,...,CD");
    command
        .add_option("--boundary", options.boundary,
                    "At 0 and 1: " + sparse::boundaryTreatmentHelp()
                        + "; one for all, or one per dimension")
        ->type_name("B[,...]")
        ->capture_default_str();
    command
        .add_option("--degree", options.degree,
                    "Degree of the functions: " + sparse::degreeHelp()
                        + "; one for all, or one per dimension")
        ->type_name("P[,...]")
        ->capture_default_str();
}

sparse::GridShape gridShape(const GridOptions &options)
{
    const int dimension = parseInteger(options.dimension, "--dim");
    const int level = parseInteger(options.level, "--level");
    (void)sparse::GridShape(dimension, 1); // before lists are measured against it
    const auto treatments = sparse::parseBoundaryTreatments(options.boundary, dimension);
    std::vector<int> caps;
    if (options.caps) {
        caps = parseIntegers(*options.caps, "--caps");
        if (caps.empty()) // would mean a regular grid to GridShape
            throw Error("--caps is empty: give one number per dimension, or leave the option out");
    }
    return {dimension, level, std::move(caps), treatments, 0, sparse::parseDegrees(options.degree)};
}

} // namespace gridhelm::cli
