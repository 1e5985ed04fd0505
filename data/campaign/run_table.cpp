// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/run_table.h"

#include "data/campaign/fill_template.h"
#include "data/campaign/runner_registry.h"

#include <limits>

namespace gridhelm::data {

namespace {

/// `key`: the option's name, in its table.
RunSetting readSetting(PlanTable &table, const std::string &key, const RunnerOption &option)
{
    auto value = option.defaultValue;
    constexpr int least = std::numeric_limits<int>::min(), most = std::numeric_limits<int>::max();
    if (!table.has(key))
        return value;
    if (std::holds_alternative<bool>(value))
        return table.flag(key);
    if (std::holds_alternative<std::string>(value))
        return *table.text(key);
    double number = 0;
    if (std::holds_alternative<int>(value))
        value = *table.integer(key, least, most), number = std::get<int>(value);
    else
        value = number = *table.number(key);
    const auto text = [&](double end) {
        return numberText(end) + (option.unit.empty() ? "" : " " + option.unit);
    };
    if (option.low && number < *option.low)
        table.fail(key, "is below " + text(*option.low) + "; raise it");
    if (option.high && number > *option.high)
        table.fail(key, "is above " + text(*option.high) + "; lower it");
    return value;
}

} // namespace

std::map<std::string, RunSetting>
readRunSettings(PlanTable &table, const std::vector<RunnerOption> &options, std::string_view source)
{
    std::map<std::string, RunSetting> settings;
    std::map<std::string, PlanTable> inner;
    for (const auto &option : options) {
        const auto dot = option.name.find('.');
        if (dot == std::string::npos) {
            settings[option.name] = readSetting(table, option.name, option);
            continue;
        }
        const auto name = option.name.substr(0, dot);
        auto found = inner.find(name);
        if (found == inner.end()) {
            const auto *there = table.table(name);
            if (!there) {
                settings[option.name] = option.defaultValue;
                continue;
            }
            found = inner.try_emplace(name, *there, "[run] " + name, source).first;
        }
        settings[option.name] = readSetting(found->second, option.name.substr(dot + 1), option);
    }
    for (const auto &[name, one] : inner)
        one.refuseUnknown();
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
    run.settings = readRunSettings(table, type.options, source);
    return run;
}

} // namespace gridhelm::data
