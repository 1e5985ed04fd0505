// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/plan_file.h"

#include "core/support/descriptor.h"
#include "core/support/error.h"
#include "data/campaign/built_in_table.h"
#include "data/campaign/command_table.h"
#include "data/campaign/grid_table.h"
#include "data/campaign/mesh_table.h"
#include "data/campaign/parameter_tables.h"
#include "data/campaign/plan_table.h"
#include "data/campaign/run_table.h"
#include "data/campaign/runner_registry.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace gridhelm::data {

namespace {

/// Where relative paths begin: older versions kept it with the text. It is ignored, and dropped.
constexpr const char *originTable = "gridhelm-origin";

std::string withoutOrigin(std::string_view toml, const toml::table &document)
{
    const auto *origin = document.get(originTable);
    if (!origin)
        return std::string(toml);
    auto last = origin->source().end.line;
    if (const auto *table = origin->as_table()) {
        for (const auto &[key, node] : *table)
            last = std::max(last, node.source().end.line);
    }
    const auto lineStart = [&](toml::source_index line) {
        std::size_t at = 0;
        for (; line > 1 && at < toml.size(); --line)
            at = std::min(toml.find('\n', at), toml.size() - 1) + 1;
        return at;
    };
    auto begin = lineStart(origin->source().begin.line);
    const auto end = lineStart(last + 1);
    if (begin > 0 && end == toml.size())
        --begin; // the new line that was written before it
    return std::string(toml.substr(0, begin)) + std::string(toml.substr(end));
}

struct PlanKind
{
    std::string title;
    StudyKind kind = StudyKind::vector;
};

PlanKind readKind(PlanTable &root, std::string_view source)
{
    PlanKind plan{std::filesystem::path(source).stem().string()};
    const auto *study = root.table("study");
    if (!study)
        return plan;
    PlanTable of(*study, "[study]", source);
    plan.title = of.text("title").value_or(plan.title);
    for (const auto *key : {"author", "licence"})
        of.text(key); // data/page/plan_authorship.h reads them
    if (const auto text = of.text("kind"); text && *text == "scalar")
        plan.kind = StudyKind::scalar;
    else if (text && *text != "vector")
        of.fail("kind", "is '" + *text
                            + "'; choose \"vector\" (every point stores a field; the "
                              "default) or \"scalar\" (space is part of the grid)");
    of.refuseUnknown();
    return plan;
}

/// `simulation` is empty if the plan has none.
struct SimulationTable
{
    PlanTable table;
    const simulations::Simulation *builtIn = nullptr;
    bool isThere = false;
    bool isCommand = false;
};

SimulationTable readSimulation(PlanTable &root, std::string_view source)
{
    static const toml::table noTable;
    const auto *found = root.table("simulation");
    SimulationTable simulation{
        {found ? *found : noTable, "[simulation]", source}, nullptr, found != nullptr, false};
    auto &table = simulation.table;
    const auto builtIn = table.text("builtin");
    simulation.isCommand = table.has("command");
    if (builtIn && simulation.isCommand)
        table.fail("command", "stands beside builtin; take out one of them");
    if (found && !builtIn && !simulation.isCommand)
        table.fail("", "names no simulation; add builtin = \"cavity\" (or plate, folds), or "
                       "command = [...], or leave the table out to import files");
    if (builtIn)
        simulation.builtIn =
            table.at("builtin", [&] { return &simulations::findSimulation(*builtIn); });
    return simulation;
}

/// Directions of space first.
ParameterSpace readParameters(PlanTable &root, StudyKind kind, SimulationTable &simulation,
                              std::string_view source, PlanPlace place)
{
    std::vector<Parameter> parameters;
    const auto spaceTables = root.tables("space");
    if (kind == StudyKind::scalar) {
        if (!simulation.isThere)
            root.fail("", "has no [simulation]; a scalar study needs one, because files cannot be "
                          "imported into it");
        std::optional<simulations::ImageMesh> mesh;
        if (simulation.builtIn)
            mesh = simulation.table.at("resolution", [&] {
                return simulation.builtIn->mesh(resolutionOf(simulation.table));
            });
        parameters = readSpace(spaceTables, mesh ? &*mesh : nullptr, root, source);
    } else if (!spaceTables.empty()) {
        root.fail("space", "belongs to scalar studies; add kind = \"scalar\" to [study], or take "
                           "it out");
    }
    const auto directions = parameters.size();
    for (const auto *entry : root.tables("parameter")) {
        PlanTable of(*entry, "[[parameter]]", source);
        parameters.push_back(readParameter(of, simulation.builtIn));
        if (place == PlanPlace::file) { // studies of older versions go on as they are
            requireSeveralValues(parameters.back(), of);
            if (simulation.isCommand)
                requirePlaceholder(parameters.back(), of);
        }
        for (std::size_t axis = 0; axis < directions; ++axis) {
            if (parameters[axis].name == parameters.back().name)
                of.fail("name", "is '" + parameters[axis].name
                                    + "', which is also a direction of space; give the [[space]] "
                                      "another name");
        }
    }
    if (parameters.size() == directions)
        root.fail("", "has no parameters; add at least one [[parameter]] with name, low and high");
    return root.at("parameter", [&] { return ParameterSpace(parameters); });
}

} // namespace

Plan parsePlan(std::string_view toml, std::string_view source, const std::filesystem::path &folder,
               PlanPlace place)
{
    const auto document = parsePlanToml(toml, source);
    PlanTable root(document, "the file", source);
    static_cast<void>(root.has(originTable));
    const auto kind = readKind(root, source);
    auto simulation = readSimulation(root, source);
    const auto space = readParameters(root, kind.kind, simulation, source, place);
    const auto grid = readGrid(root, kind.kind, space, source);

    const auto mesh = readMesh(root, simulation.table, kind.kind, source);
    if (simulation.builtIn && mesh.kind != MeshKind::shared)
        root.fail("mesh", "belongs to results that come as files; take it out");
    // One after the other: where a part of such a list throws, gcc 12 destroys those before it
    // twice.
    const auto fields = simulation.table.texts("fields");
    const auto run = readRun(root, source);
    const auto text = withoutOrigin(toml, document);
    Plan plan{{kind.title, kind.kind, withDefaultsOf(grid, space), grid.level, text, grid.design()},
              {},
              fields,
              mesh,
              run,
              grid.runs,
              grid.isAdaptive};
    if (simulation.builtIn) {
        auto of = readBuiltIn(simulation.table, source, *simulation.builtIn);
        simulation.table.refuseUnknown();
        requireRunnable(of, space, simulation.table);
        requireFields(plan.fields, *simulation.builtIn, simulation.table);
        plan.simulation = std::move(of);
    } else if (simulation.isCommand) {
        auto of = readCommand(simulation.table, source, folder, place, space);
        simulation.table.refuseUnknown();
        plan.simulation = std::move(of);
    }
    root.refuseUnknown();
    if (!plan.run.on.empty() && !findRunnerType(plan.run.on).takes(plan))
        root.fail("run", "is on \"" + plan.run.on
                             + "\", which cannot run this plan's [simulation]; take it out");
    return plan;
}

Plan readPlan(const std::filesystem::path &path)
{
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code))
        throw Error("There is no file " + path.string() + "; name the plan, a TOML file");
    const auto file = openRegularFile(path.c_str());
    std::string text;
    if (!file || !readAll(file.get(), largestPlanText + 1, text))
        throw Error(path.string() + " cannot be read (" + std::strerror(errno)
                    + "); check that you may read it");
    return parsePlan(text, path.string(),
                     std::filesystem::absolute(path).lexically_normal().parent_path());
}

} // namespace gridhelm::data
