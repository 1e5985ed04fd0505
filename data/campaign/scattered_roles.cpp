// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/scattered_roles.h"

#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace gridhelm::data {

namespace {

constexpr std::string_view usualFileColumn = "file";
constexpr std::array<std::string_view, 2> usualTimeColumns{"t", "time"};

using MaybeRoles = std::vector<std::optional<ColumnRole>>;

std::string namesOf(const std::vector<ScatteredColumn> &columns)
{
    std::string names;
    for (const auto &column : columns)
        names += (names.empty() ? "" : ", ") + column.name;
    return names;
}

void choose(MaybeRoles &roles, const ScatteredCells &cells, const std::string &name,
            ColumnRole role)
{
    const auto found = std::ranges::find(cells.columns, name, &ScatteredColumn::name);
    if (found == cells.columns.end())
        throw Error(fmt::format("{} has no column {}; its columns are: {}", cells.source, name,
                                namesOf(cells.columns)));
    auto &chosen = roles[static_cast<std::size_t>(found - cells.columns.begin())];
    if (chosen)
        throw Error(fmt::format("the column {} is named twice, as {} and as {}: name it once", name,
                                toString(*chosen), toString(role)));
    chosen = role;
}

bool has(const MaybeRoles &roles, ColumnRole role)
{
    return std::ranges::find(roles, role) != roles.end();
}

void guessParameters(MaybeRoles &roles, const ScatteredCells &cells)
{
    std::optional<std::size_t> last;
    for (std::size_t c = 0; c < roles.size(); ++c) {
        if (roles[c] || !cells.columns[c].hasNumbers)
            continue;
        roles[c] = ColumnRole::parameter;
        last = c;
    }
    if (last && !has(roles, ColumnRole::file))
        roles[*last] = ColumnRole::response;
    if (has(roles, ColumnRole::time))
        return;
    for (std::size_t c = 0; c < roles.size(); ++c) {
        if (roles[c] == ColumnRole::parameter
            && std::ranges::find(usualTimeColumns, cells.columns[c].name)
                   != usualTimeColumns.end()) {
            roles[c] = ColumnRole::time;
            return;
        }
    }
}

} // namespace

std::string_view toString(ColumnRole role)
{
    switch (role) {
    case ColumnRole::parameter:
        return "parameter";
    case ColumnRole::time:
        return "time";
    case ColumnRole::file:
        return "file";
    case ColumnRole::response:
        return "response";
    case ColumnRole::ignored:
        return "ignored";
    }
    return "unknown";
}

ScatteredRoles scatteredRoles(const ScatteredCells &cells, const ScatteredChoice &choice)
{
    MaybeRoles roles(cells.columns.size());
    for (const auto &name : choice.parameters)
        choose(roles, cells, name, ColumnRole::parameter);
    for (const auto &name : choice.ignored)
        choose(roles, cells, name, ColumnRole::ignored);
    for (const auto &name : choice.responses)
        choose(roles, cells, name, ColumnRole::response);
    if (!choice.time.empty())
        choose(roles, cells, choice.time, ColumnRole::time);
    if (!choice.file.empty()) {
        choose(roles, cells, choice.file, ColumnRole::file);
    } else {
        const auto usual =
            std::ranges::find(cells.columns, usualFileColumn, &ScatteredColumn::name);
        if (usual != cells.columns.end()) {
            auto &role = roles[static_cast<std::size_t>(usual - cells.columns.begin())];
            role = role.value_or(ColumnRole::file);
        }
    }
    if (choice.parameters.empty())
        guessParameters(roles, cells);
    ScatteredRoles result;
    for (std::size_t c = 0; c < roles.size(); ++c) {
        const auto &column = cells.columns[c];
        if (!roles[c] && !column.hasNumbers)
            result.notes.push_back("the column " + column.name
                                   + " is left out, for it holds no numbers");
        else if (!roles[c] && has(roles, ColumnRole::file))
            result.notes.push_back("the column " + column.name
                                   + " is left out, for it is no parameter, and results are in the "
                                     "files");
        else
            roles[c] = roles[c].value_or(ColumnRole::response);
        result.roles.push_back(roles[c].value_or(ColumnRole::ignored));
    }
    return result;
}

ScatteredChoice choiceOf(const ScatteredCells &cells, const std::vector<ColumnRole> &roles)
{
    ScatteredChoice choice;
    for (std::size_t c = 0; c < roles.size(); ++c) {
        const auto &name = cells.columns[c].name;
        if (roles[c] == ColumnRole::parameter)
            choice.parameters.push_back(name);
        else if (roles[c] == ColumnRole::time)
            choice.time = name;
        else if (roles[c] == ColumnRole::ignored)
            choice.ignored.push_back(name);
        else if (roles[c] == ColumnRole::response)
            choice.responses.push_back(name);
        else
            choice.file = name;
    }
    return choice;
}

} // namespace gridhelm::data
