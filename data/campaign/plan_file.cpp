// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/plan_file.h"

#include "core/sparse/sparse_grid.h"
#include "core/support/error.h"
#include "data/campaign/fill_template.h"
#include "data/study/run_space.h"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

namespace gridhelm::data {

namespace {

constexpr std::uintmax_t largestPlan = 1 << 20;

std::string join(const std::vector<std::string> &names)
{
    std::string list;
    for (const auto &name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

/// One table of the file, read key by key; what is left over at the end is unknown.
class Table
{
public:
    Table(const toml::table &table, std::string name, std::string_view source)
        : m_table(table)
        , m_name(std::move(name))
        , m_source(source)
    {
    }

    [[noreturn]] void fail(const std::string &key, const std::string &sentence) const
    {
        const toml::node *node = key.empty() ? nullptr : m_table.get(key);
        const auto line = (node ? node->source() : m_table.source()).begin.line;
        throw PlanError(std::string(m_source) + (line > 0 ? ", line " + std::to_string(line) : "")
                            + ": " + (key.empty() ? m_name : m_name + " " + key) + " " + sentence,
                        static_cast<int>(line));
    }

    bool has(const std::string &key)
    {
        m_known.insert(key);
        return m_table.contains(key);
    }

    std::optional<std::string> text(const std::string &key)
    {
        if (!has(key))
            return std::nullopt;
        const auto value = m_table.get(key)->value_exact<std::string>();
        if (!value)
            fail(key, "is no text; write it in quotes");
        if (value->find('\0') != std::string::npos)
            fail(key, "contains a zero byte; take it out");
        return value;
    }

    std::optional<double> number(const std::string &key)
    {
        if (!has(key))
            return std::nullopt;
        const auto &node = *m_table.get(key);
        if (!node.is_number() || !std::isfinite(*node.value<double>()))
            fail(key, "is no finite number; write one without quotes, like 2.5");
        return node.value<double>();
    }

    std::optional<int> integer(const std::string &key, int low, int high)
    {
        if (!has(key))
            return std::nullopt;
        const auto value = m_table.get(key)->value_exact<std::int64_t>();
        if (!value || *value < low || *value > high)
            fail(key, "is no whole number from " + std::to_string(low) + " to "
                          + std::to_string(high) + "; choose one");
        return static_cast<int>(*value);
    }

    bool flag(const std::string &key)
    {
        if (!has(key))
            return false;
        const auto value = m_table.get(key)->value_exact<bool>();
        if (!value)
            fail(key, "is neither true nor false; write one of them without quotes");
        return *value;
    }

    std::vector<std::string> texts(const std::string &key)
    {
        if (!has(key))
            return {};
        const auto *list = m_table.get_as<toml::array>(key);
        std::vector<std::string> all;
        for (std::size_t i = 0; list && i < list->size(); ++i) {
            const auto value = (*list)[i].value_exact<std::string>();
            if (!value || value->find('\0') != std::string::npos) {
                list = nullptr;
                break;
            }
            all.push_back(*value);
        }
        if (!list)
            fail(key, "is no list of texts; write it like [\"a\", \"b\"]");
        return all;
    }

    const toml::table *table(const std::string &key)
    {
        if (!has(key))
            return nullptr;
        const auto *found = m_table.get_as<toml::table>(key);
        if (!found)
            fail(key, "is no table; write it like {name = value}, or as [" + key + "]");
        return found;
    }

    const toml::table &source() const { return m_table; }

    void refuseUnknown() const
    {
        for (const auto &[key, node] : m_table) {
            const std::string name(key.str());
            if (!m_known.contains(name))
                fail(name, "is unknown; there are: " + join({m_known.begin(), m_known.end()}));
        }
    }

    /// What `read` throws gets the place of the key.
    template <typename Read>
    auto at(const std::string &key, Read read) const
    {
        try {
            return read();
        } catch (const Error &error) {
            fail(key, std::string("does not do: ") + error.what());
        }
    }

private:
    const toml::table &m_table;
    std::string m_name;
    std::string_view m_source;
    std::set<std::string> m_known;
};

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
Parameter readParameter(Table &table, const simulations::Simulation *simulation)
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
                                   + std::string(simulation->name()) + "; it has: " + join(names));
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

/// A direction of space, 0 .. 2. `mesh`: a built-in simulation's.
Parameter readDirection(Table &table, std::size_t axis, const simulations::ImageMesh *mesh)
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
    const double last =
        mesh ? first + mesh->spacing[axis] * static_cast<double>(mesh->points[axis] - 1) : 0;
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

/// The tables of a list; none if it is not there.
std::vector<const toml::table *> tablesOf(Table &root, const toml::table &document,
                                          const std::string &key)
{
    std::vector<const toml::table *> tables;
    if (!root.has(key))
        return tables;
    const auto *list = document.get_as<toml::array>(key);
    for (std::size_t i = 0; list && i < list->size(); ++i)
        tables.push_back((*list)[i].as_table());
    if (!list || std::ranges::find(tables, nullptr) != tables.end())
        root.fail(key, "is no list of tables; write [[" + key + "]], in two brackets");
    return tables;
}

/// The directions of a scalar study's space, which its mesh has to have.
std::vector<Parameter> readSpace(const std::vector<const toml::table *> &tables,
                                 const simulations::ImageMesh *mesh, const Table &root,
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
        Table of(*tables[axis], "[[space]]", source);
        space.push_back(readDirection(of, axis, mesh));
    }
    return space;
}

std::size_t resolutionOf(Table &simulation)
{
    return static_cast<std::size_t>(
        simulation.integer("resolution", 1, std::numeric_limits<int>::max()).value_or(0));
}

BuiltInPlan readBuiltIn(Table &table, std::string_view source,
                        const simulations::Simulation &simulation)
{
    BuiltInPlan plan{std::string(simulation.name()), {}, {}};
    plan.setup.resolution = resolutionOf(table);
    if (const auto *options = table.table("options")) {
        Table of(*options, "[simulation.options]", source);
        for (const auto &[key, node] : *options) {
            const std::string name(key.str());
            plan.setup.options.push_back({name, *of.text(name)});
        }
    }
    if (const auto *fixed = table.table("fixed")) {
        Table of(*fixed, "[simulation.fixed]", source);
        for (const auto &[key, node] : *fixed) {
            const std::string name(key.str());
            plan.fixed.emplace_back(name, *of.number(name));
        }
    }
    return plan;
}

CommandPlan readCommand(Table &table, std::string_view source, const std::filesystem::path &folder,
                        const ParameterSpace &space)
{
    CommandPlan plan;
    plan.shell = table.source().get("command")->is_string();
    if (plan.shell)
        plan.arguments = {*table.text("command")};
    else
        plan.arguments = table.texts("command");
    if (plan.arguments.empty() || plan.arguments.front().empty())
        table.fail("command", "is empty; write the program and its arguments");
    std::vector<std::string> names{"job", "dir"};
    const auto runSpace = runSpaceOf(space);
    for (const auto &parameter : runSpace.parameters())
        names.push_back(parameter.name);
    if (space.timeLike())
        names.insert(names.end(), {"times", "last"});
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
    for (const auto &name : table.texts("templates")) {
        const auto path = (folder / name).lexically_normal();
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored))
            table.fail("templates", "names '" + name + "', but there is no such file or folder in "
                                        + folder.string() + "; correct the name");
        plan.templates.push_back(path);
    }
    plan.timeLimit = table.number("time-limit").value_or(0);
    if (plan.timeLimit < 0 || (table.has("time-limit") && plan.timeLimit == 0))
        table.fail("time-limit", "is not positive; give it in seconds, or leave it out");
    plan.resample = table.flag("resample");
    if (const auto *environment = table.table("environment")) {
        Table of(*environment, "[simulation.environment]", source);
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
void requireRunnable(const BuiltInPlan &plan, const ParameterSpace &space, const Table &table)
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

/// Where relative paths begin, kept with the text so that the study can be run from anywhere.
constexpr const char *originTable = "gridhelm-origin";

std::string withOrigin(std::string_view toml, const std::filesystem::path &folder)
{
    std::ostringstream text;
    text << toml << "\n[" << originTable
         << "]\nfolder = " << toml::value<std::string>(folder.string()) << "\n";
    return text.str();
}

} // namespace

Plan parsePlan(std::string_view toml, std::string_view source, const std::filesystem::path &folder)
{
    toml::table document;
    try {
        document = toml::parse(toml, source);
    } catch (const toml::parse_error &error) {
        const auto line = error.source().begin.line;
        throw PlanError(std::string(source) + ", line " + std::to_string(line)
                            + ", is no TOML: " + std::string(error.description())
                            + "; correct it (texts stand in quotes, tables in brackets)",
                        static_cast<int>(line));
    }
    Table root(document, "the file", source);
    std::filesystem::path origin = folder;
    const auto *kept = root.table(originTable);
    if (kept) {
        Table of(*kept, "[" + std::string(originTable) + "]", source);
        origin = of.text("folder").value_or(folder.string());
    }

    StudyKind kind = StudyKind::vector;
    std::string title = std::filesystem::path(source).stem().string();
    if (const auto *study = root.table("study")) {
        Table of(*study, "[study]", source);
        title = of.text("title").value_or(title);
        if (const auto text = of.text("kind"); text && *text == "scalar")
            kind = StudyKind::scalar;
        else if (text && *text != "vector")
            of.fail("kind", "is '" + *text
                                + "'; choose \"vector\" (every point stores a field; the "
                                  "default) or \"scalar\" (space is part of the grid)");
        of.refuseUnknown();
    }

    const auto *simulationTable = root.table("simulation");
    static const toml::table none;
    Table simulation(simulationTable ? *simulationTable : none, "[simulation]", source);
    const auto builtIn = simulation.text("builtin");
    const bool command = simulation.has("command");
    if (builtIn && command)
        simulation.fail("command", "stands beside builtin; take out one of them");
    if (simulationTable && !builtIn && !command)
        simulation.fail("", "names no simulation; add builtin = \"cavity\" (or plate, folds), or "
                            "command = [...], or leave the table out to import files");
    const auto *builtInSimulation =
        builtIn ? simulation.at("builtin", [&] { return &simulations::findSimulation(*builtIn); })
                : nullptr;

    std::vector<Parameter> parameters;
    const auto spaceTables = tablesOf(root, document, "space");
    if (kind == StudyKind::scalar) {
        if (!simulationTable)
            root.fail("", "has no [simulation]; a scalar study needs one, because files cannot be "
                          "imported into it");
        std::optional<simulations::ImageMesh> mesh;
        if (builtInSimulation)
            mesh = simulation.at("resolution",
                                 [&] { return builtInSimulation->mesh(resolutionOf(simulation)); });
        parameters = readSpace(spaceTables, mesh ? &*mesh : nullptr, root, source);
    } else if (!spaceTables.empty()) {
        root.fail("space", "belongs to scalar studies; add kind = \"scalar\" to [study], or take "
                           "it out");
    }
    const auto directions = parameters.size();
    for (const auto *entry : tablesOf(root, document, "parameter")) {
        Table of(*entry, "[[parameter]]", source);
        parameters.push_back(readParameter(of, builtInSimulation));
        for (std::size_t axis = 0; axis < directions; ++axis) {
            if (parameters[axis].name == parameters.back().name)
                of.fail("name", "is '" + parameters[axis].name
                                    + "', which is also a direction of space; give the [[space]] "
                                      "another name");
        }
    }
    if (parameters.size() == directions)
        root.fail("", "has no parameters; add at least one [[parameter]] with name, low and high");
    const auto space = root.at("parameter", [&] { return ParameterSpace(parameters); });

    const auto *gridTable = root.table("grid");
    if (!gridTable)
        root.fail("", "has no [grid]; add it with level = 4, say");
    Table grid(*gridTable, "[grid]", source);
    const auto level = grid.integer("level", 1, 30);
    if (!level)
        grid.fail("", "has no level; add level = 4, say");
    grid.refuseUnknown();
    grid.at("level", [&] { return sparse::countGrid(space.shape(*level)); });

    Plan plan{{title, kind, space, *level, kept ? std::string(toml) : withOrigin(toml, origin)},
              {},
              simulation.texts("fields")};
    if (builtInSimulation) {
        auto of = readBuiltIn(simulation, source, *builtInSimulation);
        simulation.refuseUnknown();
        requireRunnable(of, space, simulation);
        for (const auto &name : plan.fields) {
            const auto &fields = builtInSimulation->fields();
            if (std::none_of(fields.begin(), fields.end(),
                             [&](const auto &field) { return field.name == name; }))
                simulation.fail("fields", "names '" + name + "', which the simulation " + of.name
                                              + " does not have; correct the name");
        }
        plan.simulation = std::move(of);
    } else if (command) {
        auto of = readCommand(simulation, source, origin, space);
        simulation.refuseUnknown();
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
    std::ifstream file(path, std::ios::binary);
    if (std::filesystem::file_size(path, code) > largestPlan || code)
        throw Error(path.string() + " is larger than a plan can be (1 MiB); name a TOML file");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || file.bad())
        throw Error(path.string() + " cannot be read; check that you may read it");
    return parsePlan(text, path.string(),
                     std::filesystem::absolute(path).lexically_normal().parent_path());
}

Plan planOf(const StudyDescription &description)
{
    if (description.simulation.empty())
        throw Error("The study does not say how its jobs are run; make it with: gridhelm-cli plan "
                    "FILE.toml");
    auto plan = parsePlan(description.simulation, "the study's plan", ".");
    plan.description = description;
    return plan;
}

} // namespace gridhelm::data
