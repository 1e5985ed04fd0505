// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/parameter_tables.h"

#include "core/support/axis_names.h"
#include "core/support/round_number.h"
#include "data/campaign/fill_template.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace gridhelm::data {

namespace {

sparse::BoundaryTreatment parseTreatment(const std::string &text)
{
    if (const auto treatment = sparse::findBoundaryTreatment(text))
        return *treatment;
    throw Error("'" + text + "' is no boundary basis; choose " + sparse::boundaryTreatmentNames());
}

/// Treatment, degree and level cap; the kind must be there.
void readBasis(PlanTable &table, Parameter &parameter)
{
    if (const auto treatment = table.text("treatment"))
        parameter.treatment = table.at("treatment", [&] { return parseTreatment(*treatment); });
    const auto used = parameter.usedTreatment();
    if (const auto degree = table.integer("degree", 1, 3)) {
        parameter.degree = *degree;
        table.at("degree", [&] {
            sparse::requireDegree(used, *degree);
            return true;
        });
    }
    parameter.levelCap = table.integer("cap", 1, sparse::highestLevelOf(used) + 1);
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
    readBasis(table, direction);
    table.refuseUnknown();
    return direction;
}

/// How many levels there are where they are given in values: `times`. All times come with every
/// run, so the levels of a time-like parameter count nothing.
void readLevels(PlanTable &table, Parameter &parameter)
{
    const auto times = table.integer("times", 1, 1'000'000'000);
    parameter.isDense = parameter.kind == ParameterKind::timeLike;
    if (!parameter.isDense) {
        if (times)
            table.fail("times", "belongs to a time-like parameter, of which one run delivers all "
                                "values; take it out, or add kind = \"time-like\"");
        return;
    }
    if (times && parameter.levelCap)
        table.fail("times", "stands beside cap, which says the same in levels; take out one of "
                            "them");
    if (times)
        parameter.levelCap = table.at("times", [&] {
            return capOfValues(parameter.usedTreatment(), static_cast<std::uint64_t>(*times));
        });
    else
        parameter.levelCap = parameter.levelCap.value_or(defaultDenseCap);
}

} // namespace

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
            table.fail("name", "'" + *name + "' is not a parameter of the simulation "
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
    readBasis(table, parameter);
    readLevels(table, parameter);
    table.refuseUnknown();
    return parameter;
}

void requireSeveralValues(const Parameter &parameter, const PlanTable &table)
{
    if (parameter.levelCap == 1 && !sparse::hasEndPoints(parameter.usedTreatment()))
        table.fail("cap", "is 1, which leaves '" + parameter.name
                              + "' one value, the middle of its range, so that nothing is learned "
                                "of it; write cap = 2 (three values) or more, or treatment = "
                                "\"boundary\" (the ends, too), or leave the parameter out and "
                                "write its value into the simulation (fixed = {NAME = value}, or "
                                "in the command)");
}

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

} // namespace gridhelm::data
