// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/run/run_plan.h"

#include "core/solvers/poisson_parameters.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace gridhelm::solvers {
namespace {

constexpr std::array<std::pair<Quantity, std::string_view>, 3> quantityNames{{
    {Quantity::residual, "residual"},
    {Quantity::change, "change"},
    {Quantity::error, "error"},
}};

/// Iterations that nobody will see the end of; sums of a few of them do not overflow.
constexpr std::uint64_t endless = std::numeric_limits<std::uint64_t>::max() / 8;

RunPlan::Target targetOf(const TargetSetup &setup, const RunAbilities &abilities,
                         const std::string &option)
{
    std::string possible;
    for (const auto quantity : abilities.quantities) {
        possible += (possible.empty() ? "" : " or ") + std::string(nameOf(quantity)) + "=NUMBER";
        if (!setup.value || nameOf(quantity) != setup.quantity)
            continue;
        const double value = parseReal(*setup.value, option);
        if (value < 0)
            throw Error(fmt::format("{}: the {} is never below 0: choose a larger number", option,
                                    nameOf(quantity)));
        return {quantity, value};
    }
    if (!setup.value)
        throw Error(
            fmt::format("{}: \"{}\" is no target: choose {}", option, setup.quantity, possible));
    throw Error(fmt::format(
        "{}: {} reports no \"{}\"{}: choose {}", option, abilities.method, setup.quantity,
        setup.quantity == "error" ? ", as no solution is known" : "", possible));
}

/// Blanks, '-' and '_' are the same, so that no quotes are needed on the command line.
std::string plainName(std::string_view name)
{
    std::string plain(trimmed(name));
    std::replace_if(
        plain.begin(), plain.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
    return plain;
}

ScheduledChange parseChange(const std::string &text, const RunAbilities &abilities,
                            const std::string &option)
{
    const auto colon = text.find(':');
    const auto equals = text.find('=');
    if (colon == std::string::npos || equals == std::string::npos || equals < colon)
        throw Error(fmt::format(
            "{}: \"{}\" is no change: write ITERATION:NAME=VALUE, e.g. 500:{}=1.5", option, text,
            abilities.parameters.empty() ? "relaxation" : abilities.parameters.front().name));
    ScheduledChange change{parseIndex(text.substr(0, colon), option),
                           plainName(text.substr(colon + 1, equals - colon - 1)),
                           parseReal(text.substr(equals + 1), option)};
    for (const auto &parameter : abilities.parameters) {
        if (plainName(parameter.name) != change.parameter)
            continue;
        change.parameter = parameter.name;
        change.changesSolution = parameter.changesSolution;
        if (abilities.rangesAreFixed)
            requireLiveParameter(abilities.parameters, parameter.name, change.value);
        return change;
    }
    std::string possible;
    for (const auto &parameter : abilities.parameters)
        possible += (possible.empty() ? "" : ", ") + parameter.name;
    throw Error(fmt::format("{}: {} cannot change \"{}\" while it runs: choose one of {}", option,
                            abilities.method, change.parameter,
                            possible.empty() ? "nothing" : possible));
}

} // namespace

TargetSetup TargetSetup::split(const std::string &text)
{
    const auto equals = text.find('=');
    if (equals == std::string::npos)
        return {text, {}};
    return {text.substr(0, equals), text.substr(equals + 1)};
}

std::string_view nameOf(Quantity quantity)
{
    return quantityNames[static_cast<std::size_t>(quantity)].second;
}

double valueOf(Quantity quantity, const StepReport &report)
{
    switch (quantity) {
    case Quantity::residual:
        return report.residual;
    case Quantity::change:
        return report.largestChange;
    case Quantity::error:
        break;
    }
    return report.error;
}

RunPlan runPlan(const RunSetup &setup, const RunAbilities &abilities)
{
    const std::string name = setup.prefix + abilities.unit;
    RunPlan plan;
    plan.unit = abilities.unit;
    plan.target = abilities.target;
    plan.knownSurvivesChanges = abilities.knownSurvivesChanges;
    if (setup.until) {
        plan.target = targetOf(*setup.until, abilities, setup.prefix + "until");
        plan.targetIsAsked = true;
    }
    plan.most = abilities.most;
    if (setup.iterations)
        plan.most = std::min(parseIndex(*setup.iterations, name), endless);
    else if (setup.until)
        plan.most = endless;
    if (setup.every) {
        const std::string option = setup.prefix + "every";
        plan.every = std::min(parseIndex(*setup.every, option), endless);
        if (plan.every == 0)
            throw Error(option + ": 0 is too few: choose at least 1");
    }
    for (const auto &text : setup.changes) {
        plan.changes.push_back(parseChange(text, abilities, setup.prefix + "at"));
        if (plan.changes.back().iteration >= plan.most)
            throw Error(fmt::format("{}at: {} never happens, because the run ends after {} {}: "
                                    "choose an earlier change or more {}",
                                    setup.prefix, text, plan.most, plan.unit, plan.unit));
    }
    std::stable_sort(plan.changes.begin(), plan.changes.end(),
                     [](const auto &a, const auto &b) { return a.iteration < b.iteration; });
    if (plan.target && plan.target->quantity == Quantity::error && changesSolution(plan)
        && !abilities.knownSurvivesChanges)
        throw Error(fmt::format("{0}until: the error is not known after {0}at has changed the "
                                "problem: choose another figure",
                                setup.prefix));
    return plan;
}

bool changesSolution(const RunPlan &plan)
{
    return std::any_of(plan.changes.begin(), plan.changes.end(),
                       [](const auto &change) { return change.changesSolution; });
}

} // namespace gridhelm::solvers
