// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/command_table.h"

#include "data/campaign/fill_template.h"
#include "data/study/run_space.h"

#include <algorithm>
#include <array>
#include <string>
#include <system_error>
#include <vector>

namespace gridhelm::data {

namespace {

/// What a command's placeholders mean beside the parameters; the last two if there is a time.
constexpr std::array<const char *, 4> reservedNames{"job", "dir", "times", "last"};

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

} // namespace

void requirePlaceholder(const Parameter &parameter, const PlanTable &table)
{
    if (placeholderAt("{" + parameter.name + "}", 0) != parameter.name)
        table.fail("name", "is '" + parameter.name
                               + "', which cannot stand in braces in a command: use letters, "
                                 "digits, _ and -");
    if (std::ranges::find(reservedNames, parameter.name) != reservedNames.end())
        table.fail("name", "is '" + parameter.name + "', but {" + parameter.name
                               + "} means something else in a plan with a command (see "
                                 "gridhelm-cli plan --help); give the parameter another name");
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
                of.fail(name, "is not a name for a variable; take out '='");
            plan.environment.emplace_back(name, *of.text(name));
        }
    }
    return plan;
}

} // namespace gridhelm::data
