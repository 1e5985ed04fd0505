// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/grid_table.h"

#include "core/sparse/sparse_grid.h"
#include "data/study/field_kriging.h"

namespace gridhelm::data {

namespace {

enum class Design { regular, adaptive, spaceFilling };

Design readDesign(PlanTable &grid)
{
    const auto design = grid.text("design");
    if (!design || *design == "regular")
        return Design::regular;
    if (*design == "adaptive")
        return Design::adaptive;
    if (*design == "space-filling")
        return Design::spaceFilling;
    grid.fail("design", "is '" + *design
                            + "'; choose \"regular\" (a sparse grid of a level; the default), "
                              "\"adaptive\" (one that \"refine\" goes on with where the error is) "
                              "or \"space-filling\" (a number of runs, for kriging)");
}

/// A grid of so few points that refining can choose nearly all.
constexpr int firstAdaptiveLevel = 2;

void requireVectors(PlanTable &grid, StudyKind kind)
{
    if (kind == StudyKind::scalar)
        grid.fail("design", "cannot be \"adaptive\" in a scalar study, where space is part of the "
                            "grid; take kind = \"scalar\" out of [study]");
}

int readLevel(PlanTable &grid, const ParameterSpace &space, std::optional<int> byDefault)
{
    if (grid.has("runs"))
        grid.fail("runs",
                  "is what a space-filling design has, and a grid has a level; take it out, "
                  "or write design = \"space-filling\"");
    auto level = grid.integer("level", 1, space.highestLevel());
    if (!level)
        level = byDefault;
    if (!level)
        grid.fail("", "has no level; add level = 4, say");
    grid.refuseUnknown();
    grid.at("level", [&] { return sparse::countGrid(space.shape(*level)); });
    return *level;
}

/// What a design without a grid cannot have.
void requireNoGrid(PlanTable &grid, StudyKind kind, const ParameterSpace &space)
{
    if (kind == StudyKind::scalar)
        grid.fail("design", "cannot be \"space-filling\" in a scalar study, where space is part of "
                            "the grid; take kind = \"scalar\" out of [study]");
    for (const auto &parameter : space.parameters()) {
        const auto which = "'" + parameter.name + "'";
        if (parameter.kind == ParameterKind::timeLike)
            grid.fail("design",
                      "cannot be \"space-filling\" with the time-like parameter " + which
                          + ", because such a run is stored at one time; take the "
                            "parameter out and write its value into the simulation (fixed "
                            "= {NAME = value}, or in the command), or choose design = "
                            "\"regular\"");
        if (parameter.treatment || parameter.levelCap || parameter.degree > 1)
            grid.fail("design", "is \"space-filling\", which has no levels and no functions of "
                                "them; take treatment, degree and cap out of the parameter "
                                    + which);
    }
}

std::size_t readRuns(PlanTable &grid, const ParameterSpace &space)
{
    if (grid.has("level"))
        grid.fail("level", "is what a grid has, and a space-filling design has a number of runs; "
                           "write runs = 51 in its place, say");
    const int least = space.dimension() + 2;
    const auto runs = grid.integer("runs", least, static_cast<int>(FieldKriging::mostRuns));
    if (!runs)
        grid.fail("", "has no runs; add runs = " + std::to_string(10 * space.dimension())
                          + ", say: ten for each parameter are a good start");
    grid.refuseUnknown();
    return static_cast<std::size_t>(*runs);
}

} // namespace

GridPlan readGrid(PlanTable &root, StudyKind kind, const ParameterSpace &space,
                  std::string_view source)
{
    const auto *table = root.table("grid");
    if (!table)
        root.fail("", "has no [grid]; add it with level = 4, say");
    PlanTable grid(*table, "[grid]", source);
    const auto design = readDesign(grid);
    if (design == Design::regular)
        return {readLevel(grid, space, {}), 0, false};
    if (design == Design::adaptive) {
        requireVectors(grid, kind);
        return {readLevel(grid, withDefaultsOf({1, 0, true}, space), firstAdaptiveLevel), 0, true};
    }
    requireNoGrid(grid, kind, space);
    return {1, readRuns(grid, space), false};
}

ParameterSpace withDefaultsOf(const GridPlan &grid, const ParameterSpace &space)
{
    auto parameters = space.parameters();
    for (auto &parameter : parameters)
        if (grid.isAdaptive && parameter.kind == ParameterKind::ordinary && !parameter.treatment
            && parameter.degree == 1)
            parameter.treatment = sparse::BoundaryTreatment::leja;
    return ParameterSpace(parameters);
}

} // namespace gridhelm::data
