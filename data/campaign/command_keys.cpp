// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/command_keys.h"

#include "core/support/error.h"
#include "data/campaign/edit_plan.h"
#include "data/campaign/fill_template.h"
#include "data/campaign/plan_table.h"

#include <fmt/format.h>

#include <cstdint>
#include <utility>

namespace gridhelm::data {

namespace {

std::vector<std::string> textsOf(const toml::node *node)
{
    std::vector<std::string> texts;
    if (const auto *list = node ? node->as_array() : nullptr) {
        for (const auto &item : *list) {
            if (const auto text = item.value<std::string>())
                texts.push_back(*text);
        }
    }
    return texts;
}

/// As TOML; a text of several lines is several lines.
std::string written(const std::string &text)
{
    const bool isLiteral = text.find('\n') != std::string::npos
                           && text.find("'''") == std::string::npos && !text.ends_with('\'')
                           && text.find('\r') == std::string::npos
                           && text.find_first_of(std::string("\0\x1B\x7F", 3)) == std::string::npos;
    if (isLiteral)
        return "'''\n" + text + "'''"; // TOML leaves the first end of a line out
    std::string quoted = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            quoted += std::string("\\") + c;
        else if (c == '\n' || c == '\t')
            quoted += c == '\n' ? "\\n" : "\\t";
        else if (byte < 0x20 || byte == 0x7F)
            quoted += fmt::format("\\u{:04X}", byte);
        else
            quoted += c;
    }
    return quoted + "\"";
}

template <typename Items, typename Write>
std::string list(const Items &items, char begin, char end, Write write)
{
    std::string text(1, begin);
    for (const auto &item : items)
        text += (text.size() > 1 ? ", " : "") + write(item);
    return text + end;
}

std::string written(const std::vector<std::string> &texts)
{
    return list(texts, '[', ']', [](const std::string &text) { return written(text); });
}

std::string written(const std::map<std::string, std::string> &variables)
{
    return list(variables, '{', '}', [](const auto &variable) {
        return written(variable.first) + " = " + written(variable.second);
    });
}

std::string written(const std::vector<int> &counts)
{
    return list(counts, '[', ']', [](int count) { return std::to_string(count); });
}

/// Without what is empty, which a plan leaves out.
template <typename Items>
std::optional<std::string> writtenIfAny(const Items &items)
{
    return items.empty() ? std::nullopt : std::optional(written(items));
}

std::vector<int> countsOf(const toml::node *node)
{
    std::vector<int> counts;
    if (const auto *list = node ? node->as_array() : nullptr) {
        for (const auto &item : *list) {
            const auto count = item.value<std::int64_t>();
            if (count && std::in_range<int>(*count))
                counts.push_back(static_cast<int>(*count));
        }
    }
    return counts;
}

} // namespace

std::optional<CommandKeys> commandKeysOf(std::string_view toml)
{
    try {
        const auto document = parsePlanToml(toml, "the plan");
        const auto *simulation = document.get_as<toml::table>("simulation");
        const auto *command = simulation ? simulation->get("command") : nullptr;
        if (!command)
            return std::nullopt;
        CommandKeys keys;
        keys.shell = command->is_string();
        keys.command = keys.shell ? std::vector{**command->as_string()} : textsOf(command);
        keys.result = (*simulation)["result"].value_or(std::string());
        keys.templates = textsOf(simulation->get("templates"));
        keys.fields = textsOf(simulation->get("fields"));
        keys.timeLimit = (*simulation)["time-limit"].value<double>();
        if (const auto *environment = simulation->get_as<toml::table>("environment")) {
            for (const auto &[name, value] : *environment)
                keys.environment[std::string(name.str())] = value.value_or(std::string());
        }
        if (const auto *mesh = document.get_as<toml::table>("mesh")) {
            keys.mesh = (*mesh)["kind"].value_or(std::string());
            keys.meshPoints = countsOf(mesh->get("points"));
        }
        return keys;
    } catch (const Error &) {
        return std::nullopt;
    }
}

std::string withCommandKeys(std::string_view toml, const CommandKeys &keys)
{
    std::string text(toml);
    const auto before = commandKeysOf(toml).value_or(CommandKeys());
    const auto change = [&](const char *table, const char *key, bool isOther,
                            const std::optional<std::string> &value) {
        if (isOther)
            text = withTableKey(text, table, key, value);
    };
    const bool isOtherCommand = keys.command != before.command || keys.shell != before.shell;
    change("simulation", "command", isOtherCommand,
           keys.shell ? written(keys.command.empty() ? std::string() : keys.command.front())
                      : written(keys.command));
    change("simulation", "result", keys.result != before.result, writtenIfAny(keys.result));
    change("simulation", "templates", keys.templates != before.templates,
           writtenIfAny(keys.templates));
    change("simulation", "environment", keys.environment != before.environment,
           writtenIfAny(keys.environment));
    change("simulation", "time-limit", keys.timeLimit != before.timeLimit,
           keys.timeLimit ? std::optional(tomlNumber(*keys.timeLimit)) : std::nullopt);
    change("simulation", "fields", keys.fields != before.fields, writtenIfAny(keys.fields));
    if (keys.mesh.empty() && !before.mesh.empty())
        return withoutTable(text, "mesh");
    change("mesh", "kind", keys.mesh != before.mesh, writtenIfAny(keys.mesh));
    change("mesh", "points", keys.meshPoints != before.meshPoints, writtenIfAny(keys.meshPoints));
    return text;
}

CommandKeys withRenamedPlaceholder(CommandKeys keys, const std::string &from, const std::string &to)
{
    const PlaceholderValues names{{from, "{" + to + "}"}};
    for (auto &argument : keys.command)
        argument = fillTemplate(argument, names);
    keys.result = fillTemplate(keys.result, names);
    for (auto &[name, value] : keys.environment)
        value = fillTemplate(value, names);
    return keys;
}

} // namespace gridhelm::data
