// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/plan_file.h"

#include "core/sparse/sparse_grid.h"
#include "core/support/error.h"
#include "core/support/round_number.h"
#include "data/campaign/fill_template.h"
#include "data/campaign/mesh_table.h"
#include "data/campaign/plan_table.h"
#include "data/study/run_space.h"
#include "data/support/descriptor.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

namespace gridhelm::data {

namespace {

sparse::BoundaryTreatment parseTreatment(const std::string &text)
{
    using enum sparse::BoundaryTreatment;
    if (text == "zero")
        return zero;
    if (text == "boundary")
        return boundary;
    if (text == "modified")
        return modified;
    throw Error("'" + text + "' is no boundary treatment; choose zero, boundary or modified");
}

/// Ranges and units that are left out are the built-in simulation's own.
Parameter readParameter(PlanTable &table, const simulations::Simulation *simulation)
{
    const auto name = table.text("name");
    if (!name)
        table.fail("", "has no name; add one, like name = \"Re\"");
    const simulations::ParameterInfo *known = nullptr;
    if (simulation) {
        std::vector<std::string> names;
        for (const auto &parameter : simulation->parameters()) {
            names.push_back(parameter.name);
            if (parameter.name == *name)
                known = &parameter;
        }
        if (!known)
            table.fail("name", "'" + *name + "' is no parameter of the simulation "
                                   + std::string(simulation->name())
                                   + "; it has: " + joined(names));
    }
    Parameter parameter;
    parameter.name = *name;
    parameter.unit = table.text("unit").value_or(known ? known->unit : "");
    const auto low = table.number("low"), high = table.number("high");
    if (!known && (!low || !high))
        table.fail("", "'" + *name + "' has no range; add low = ... and high = ...");
    parameter.low = low.value_or(known ? known->defaultLow : 0);
    parameter.high = high.value_or(known ? known->defaultHigh : 1);
    if (const auto scale = table.text("scale"))
        parameter.scale = table.at("scale", [&] { return parseParameterScale(*scale); });
    else if (known && known->logarithmic && parameter.low > 0)
        parameter.scale = ParameterScale::logarithmic;
    const bool timeLike = table.flag("time-like");
    if (const auto kind = table.text("kind"))
        parameter.kind = table.at("kind", [&] { return parseParameterKind(*kind); });
    else if (timeLike || (known && known->timeLike))
        parameter.kind = ParameterKind::timeLike;
    if (parameter.kind == ParameterKind::spatial)
        table.fail("kind", "cannot be spatial here; a direction of space is a [[space]] of a "
                           "scalar study");
    if (known && known->timeLike != (parameter.kind == ParameterKind::timeLike))
        table.fail("kind", known->timeLike ? "has to be time-like; leave it out"
                                           : "cannot be time-like; leave it out");
    if (const auto treatment = table.text("treatment"))
        parameter.treatment = table.at("treatment", [&] { return parseTreatment(*treatment); });
    parameter.levelCap = table.integer("cap", 1, 30);
    table.refuseUnknown();
    return parameter;
}

constexpr std::array<const char *, 3> axisNames{"x", "y", "z"};

/// One level is the middle of the range alone, unless the ends are sampled.
void requireSeveralValues(const Parameter &parameter, const PlanTable &table)
{
    if (parameter.levelCap == 1 && parameter.usedTreatment() != sparse::BoundaryTreatment::boundary)
        table.fail("cap", "is 1, which leaves '" + parameter.name
                              + "' one value, the middle of its range, so that nothing is learned "
                                "of it; write cap = 2 (three values) or more, or treatment = "
                                "\"boundary\" (the ends, too), or leave the parameter out and "
                                "write its value into the simulation (fixed = {NAME = value}, or "
                                "in the command)");
}

/// Of a mesh's points in one direction: 1, and not 0.9999999999999999 as 49 times 1/49.
double lastPlace(double first, double spacing, std::size_t points)
{
    const double last = first + spacing * static_cast<double>(points - 1);
    return withoutRoundOff(last, std::max(std::abs(first), std::abs(last)));
}

/// A direction of space, 0 .. 2. `mesh`: a built-in simulation's.
Parameter readDirection(PlanTable &table, std::size_t axis, const simulations::ImageMesh *mesh)
{
    Parameter direction;
    direction.kind = ParameterKind::spatial;
    direction.name = table.text("name").value_or(axisNames[axis]);
    direction.unit = table.text("unit").value_or("");
    const auto low = table.number("low"), high = table.number("high");
    if (!mesh && (!low || !high))
        table.fail("", "'" + direction.name
                           + "' has no range; add low = ... and high = ..., within "
                             "the mesh of the simulation");
    const double first = mesh ? mesh->origin[axis] : 0;
    const double last = mesh ? lastPlace(first, mesh->spacing[axis], mesh->points[axis]) : 0;
    direction.low = low.value_or(first);
    direction.high = high.value_or(last);
    const double tolerance = 1e-9 * (last - first);
    if (mesh && (direction.low < first - tolerance || direction.high > last + tolerance))
        table.fail(direction.low < first - tolerance ? "low" : "high",
                   "is outside of the simulation's mesh, which reaches from " + numberText(first)
                       + " to " + numberText(last) + "; stay inside, or leave it out");
    if (const auto treatment = table.text("treatment"))
        direction.treatment = table.at("treatment", [&] { return parseTreatment(*treatment); });
    direction.levelCap = table.integer("cap", 1, 30);
    table.refuseUnknown();
    return direction;
}

/// What a command's placeholders mean beside the parameters; the last two if there is a time.
constexpr std::array<const char *, 4> reservedNames{"job", "dir", "times", "last"};

void requireNoReservedName(const Parameter &parameter, const PlanTable &table)
{
    if (std::ranges::find(reservedNames, parameter.name) != reservedNames.end())
        table.fail("name", "is '" + parameter.name + "', but {" + parameter.name
                               + "} means something else in a plan with a command (see "
                                 "gridhelm-cli plan --help); give the parameter another name");
}

/// The directions of a scalar study's space, which its mesh has to have.
std::vector<Parameter> readSpace(const std::vector<const toml::table *> &tables,
                                 const simulations::ImageMesh *mesh, const PlanTable &root,
                                 std::string_view source)
{
    std::size_t directions = mesh ? 0 : axisNames.size();
    for (std::size_t axis = 0; mesh && axis < axisNames.size(); ++axis)
        directions = mesh->points[axis] > 1 ? axis + 1 : directions;
    if (tables.empty())
        root.fail("", "has no space; a scalar study needs a [[space]] for each direction of its "
                      "mesh");
    if (tables.size() > directions || (mesh && tables.size() < directions))
        root.fail("space", "has " + std::to_string(tables.size()) + " directions, and "
                               + (mesh ? "the simulation's mesh has " + std::to_string(directions)
                                       : std::string("there are three at most"))
                               + "; write one [[space]] for each, in the order x, y, z");
    std::vector<Parameter> space;
    for (std::size_t axis = 0; axis < tables.size(); ++axis) {
        PlanTable of(*tables[axis], "[[space]]", source);
        space.push_back(readDirection(of, axis, mesh));
    }
    return space;
}

std::size_t resolutionOf(PlanTable &simulation)
{
    return static_cast<std::size_t>(
        simulation.integer("resolution", 1, std::numeric_limits<int>::max()).value_or(0));
}

BuiltInPlan readBuiltIn(PlanTable &table, std::string_view source,
                        const simulations::Simulation &simulation)
{
    BuiltInPlan plan{std::string(simulation.name()), {}, {}};
    plan.setup.resolution = resolutionOf(table);
    if (const auto *options = table.table("options")) {
        PlanTable of(*options, "[simulation.options]", source);
        for (const auto &[key, node] : *options) {
            const std::string name(key.str());
            plan.setup.options.push_back({name, *of.text(name)});
        }
    }
    if (const auto *fixed = table.table("fixed")) {
        PlanTable of(*fixed, "[simulation.fixed]", source);
        for (const auto &[key, node] : *fixed) {
            const std::string name(key.str());
            plan.fixed.emplace_back(name, *of.number(name));
        }
    }
    return plan;
}

/// What people write first: a sentence that says more than which placeholders there are.
void refuseTimesGoneWrong(const PlanTable &table, const ParameterSpace &space,
                          const std::vector<std::string> &arguments)
{
    const auto time = space.timeLike();
    for (const auto &argument : arguments) {
        if (time && argument.find("{" + space[*time].name + "}") != std::string::npos)
            table.fail("command", "has {" + space[*time].name
                                      + "}, but a run delivers all times at once; write {times} "
                                        "for those that are wanted, or {last} for the last one");
        for (const std::string name : {"{times}", "{last}"})
            if (!time && argument.find(name) != std::string::npos)
                table.fail("command", "has " + name
                                          + ", but no parameter is time-like; add kind = "
                                            "\"time-like\" to the one that is the time");
    }
}

/// What the command's texts may hold in braces is checked; where its files are, the plan says.
void readTexts(PlanTable &table, const ParameterSpace &space, CommandPlan &plan)
{
    plan.shell = table.source().get("command")->is_string();
    if (plan.shell)
        plan.arguments = {*table.text("command")};
    else
        plan.arguments = table.texts("command");
    if (plan.arguments.empty() || plan.arguments.front().empty())
        table.fail("command", "is empty; write the program and its arguments");
    std::vector<std::string> names(reservedNames.begin(),
                                   reservedNames.end() - (space.timeLike() ? 0 : 2));
    const auto runSpace = runSpaceOf(space);
    for (const auto &parameter : runSpace.parameters())
        names.push_back(parameter.name);
    refuseTimesGoneWrong(table, space, plan.arguments);
    table.at("command", [&] {
        // One run delivers all times: the command gets {times}, the result may have {t}.
        auto known = names;
        if (const auto time = space.timeLike())
            std::erase(known, space[*time].name);
        for (const auto &argument : plan.arguments)
            requireKnownPlaceholders(argument, known, plan.shell);
        return 0;
    });
    const auto result = table.text("result");
    if (!result || result->empty())
        table.fail("result", "is missing; name the file that the command writes, like "
                             "result = \"out.vti\"");
    plan.result = *result;
    table.at("result", [&] {
        requireKnownPlaceholders(plan.result, names, false);
        return 0;
    });
}

CommandPlan readCommand(PlanTable &table, std::string_view source,
                        const std::filesystem::path &folder, PlanPlace place,
                        const ParameterSpace &space)
{
    CommandPlan plan;
    plan.folder = folder;
    plan.isForeign = place == PlanPlace::foreignStudy;
    readTexts(table, space, plan);
    plan.templates = table.texts("templates");
    for (const auto &name : plan.templates) {
        std::error_code ignored;
        if (place == PlanPlace::file && !std::filesystem::exists(folder / name, ignored))
            table.fail("templates", "names '" + name + "', but there is no such file or folder in "
                                        + folder.string() + "; correct the name");
    }
    plan.timeLimit = table.number("time-limit").value_or(0);
    if (plan.timeLimit < 0 || (table.has("time-limit") && plan.timeLimit == 0))
        table.fail("time-limit", "is not positive; give it in seconds, or leave it out");
    if (const auto *environment = table.table("environment")) {
        PlanTable of(*environment, "[simulation.environment]", source);
        for (const auto &[key, node] : *environment) {
            const std::string name(key.str());
            if (name.empty() || name.find_first_of(std::string("=\0", 2)) != std::string::npos)
                of.fail(name, "is no name for a variable; take out '='");
            plan.environment.emplace_back(name, *of.text(name));
        }
    }
    return plan;
}

/// Refuses what the simulation cannot run anywhere in the box of the ranges.
void requireRunnable(const BuiltInPlan &plan, const ParameterSpace &space, const PlanTable &table)
{
    const auto &simulation = simulations::findSimulation(plan.name);
    auto low = simulation.defaultValues(), high = low;
    const auto &all = simulation.parameters();
    const auto indexOf = [&](const std::string &name) {
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const auto &p) { return p.name == name; });
        return static_cast<std::size_t>(found - all.begin());
    };
    const auto runSpace = runSpaceOf(space);
    for (const auto &[name, value] : plan.fixed) {
        const auto p = indexOf(name);
        const auto &varied = runSpace.parameters();
        if (p == all.size())
            table.fail("fixed", "names '" + name + "', which is no parameter of the simulation "
                                    + plan.name + "; take it out");
        if (std::any_of(varied.begin(), varied.end(),
                        [&name = name](const auto &v) { return v.name == name; }))
            table.fail("fixed", "names '" + name
                                    + "', which is also a [[parameter]]; take out one "
                                      "of them");
        low[p] = high[p] = value;
    }
    for (const auto &parameter : runSpace.parameters()) {
        low[indexOf(parameter.name)] = parameter.low;
        high[indexOf(parameter.name)] = parameter.high;
    }
    table.at("builtin", [&] {
        simulation.requireRunnable(plan.setup, low, high);
        return 0;
    });
}

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
    static const toml::table none;
    const auto *found = root.table("simulation");
    SimulationTable simulation{
        {found ? *found : none, "[simulation]", source}, nullptr, found != nullptr, false};
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
                requireNoReservedName(parameters.back(), of);
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

int readLevel(PlanTable &root, const ParameterSpace &space, std::string_view source)
{
    const auto *table = root.table("grid");
    if (!table)
        root.fail("", "has no [grid]; add it with level = 4, say");
    PlanTable grid(*table, "[grid]", source);
    const auto level = grid.integer("level", 1, 30);
    if (!level)
        grid.fail("", "has no level; add level = 4, say");
    grid.refuseUnknown();
    grid.at("level", [&] { return sparse::countGrid(space.shape(*level)); });
    return *level;
}

void requireFields(const std::vector<std::string> &names, const simulations::Simulation &builtIn,
                   const PlanTable &table)
{
    for (const auto &name : names) {
        const auto &fields = builtIn.fields();
        if (std::none_of(fields.begin(), fields.end(),
                         [&](const auto &field) { return field.name == name; }))
            table.fail("fields", "names '" + name + "', which the simulation "
                                     + std::string(builtIn.name())
                                     + " does not have; correct the name");
    }
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
    const auto level = readLevel(root, space, source);

    const auto mesh = readMesh(root, simulation.table, kind.kind, source);
    if (simulation.builtIn && mesh.kind != MeshKind::shared)
        root.fail("mesh", "belongs to results that come as files; take it out");
    Plan plan{{kind.title, kind.kind, space, level, withoutOrigin(toml, document)},
              {},
              simulation.table.texts("fields"),
              mesh};
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
