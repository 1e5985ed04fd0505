// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/run_table.h"

#include "data/campaign/fill_template.h"
#include "data/campaign/runner_registry.h"

#include <limits>

namespace gridhelm::data {

namespace {

RunSetting readSetting(PlanTable &table, const RunnerOption &option)
{
    auto value = option.defaultValue;
    constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    if (!table.has(option.name))
        return value;
    if (std::holds_alternative<bool>(value))
        return table.flag(option.name);
    if (std::holds_alternative<std::string>(value))
        return *table.text(option.name);
    double number = 0;
    if (std::holds_alternative<int>(value))
        value = *table.integer(option.name, least, most), number = std::get<int>(value);
    else
        value = number = *table.number(option.name);
    const auto text = [&](double end) {
        return numberText(end) + (option.unit.empty() ? "" : " " + option.unit);
    };
    if (option.low && number < *option.low)
        table.fail(option.name, "is below " + text(*option.low) + "; raise it");
    if (option.high && number > *option.high)
        table.fail(option.name, "is above " + text(*option.high) + "; lower it");
    return value;
}

} // namespace

std::map<std::string, RunSetting> readRunSettings(PlanTable &table,
                                                  const std::vector<RunnerOption> &options)
{
    std::map<std::string, RunSetting> settings;
    for (const auto &option : options)
        settings[option.name] = readSetting(table, option);
    table.refuseUnknown();
    return settings;
}

RunPlan readRun(PlanTable &root, std::string_view source)
{
    const auto *found = root.table("run");
    if (!found)
        return {};
    PlanTable table(*found, "[run]", source);
    RunPlan run;
    run.on = table.text("on").value_or("");
    if (run.on.empty())
        table.fail("on", "is missing; name where the simulation runs, like on = \"local\"");
    const auto &type =
        table.at("on", [&]() -> const RunnerType & { return findRunnerType(run.on); });
    run.settings = readRunSettings(table, type.options);
    return run;
}

} // namespace gridhelm::data
