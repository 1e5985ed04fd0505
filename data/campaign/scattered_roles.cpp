// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/scattered_roles.h"

#include "core/support/error.h"
#include "core/support/lowered.h"
#include "data/study/field_kriging.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>

namespace gridhelm::data {

namespace {

constexpr std::string_view usualFileColumn = "file";
constexpr std::array<std::string_view, 2> usualTimeColumns{"t", "time"};

using MaybeRoles = std::vector<std::optional<ColumnRole>>;

void choose(MaybeRoles &roles, const TextTable &table, const std::string &name, ColumnRole role)
{
    const auto found = table.find(name);
    if (!found) {
        std::vector<std::string> names;
        for (const auto &column : table.columns())
            names.push_back(column.name);
        throw Error(fmt::format("{} has no column {}; its columns are: {}", table.source(), name,
                                fmt::join(names, ", ")));
    }
    auto &chosen = roles[*found];
    if (chosen)
        throw Error(fmt::format("the column {} is named twice, as {} and as {}: name it once", name,
                                toString(*chosen), toString(role)));
    chosen = role;
}

bool has(const MaybeRoles &roles, ColumnRole role)
{
    return std::ranges::find(roles, role) != roles.end();
}

/// Whether a column holds numbers, or what begins like them in half of the rows at least: somebody
/// meant these as numbers, and nobody can read them.
bool isOfNumbers(const TextTable &table, std::size_t column)
{
    std::size_t alike = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const auto cell = table.cell(row, column);
        const auto first = cell.find_first_not_of("+-.,");
        alike +=
            first != std::string_view::npos && cell[first] >= '0' && cell[first] <= '9' ? 1 : 0;
    }
    return table.hasNumbers(column) || 2 * alike >= table.rows();
}

/// "Run-ID" is "run_id".
std::string plainName(const TextTable &table, std::size_t column)
{
    auto name = lowered(table.columns()[column].name);
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || c == '-'; }, '_');
    return name;
}

/// 0, 1, 2 ... or 1, 2, 3 ...
bool isCount(const TextTable &table, std::size_t column)
{
    const auto first = table.number(0, column);
    if (table.rows() < 3 || !first || (*first != 0 && *first != 1))
        return false;
    for (std::size_t row = 1; row < table.rows(); ++row)
        if (table.number(row, column) != *first + static_cast<double>(row))
            return false;
    return true;
}

bool isNumberByName(const TextTable &table, std::size_t column)
{
    constexpr std::array<std::string_view, 18> numbers{
        "id",     "run",   "run_id",  "runid",  "case",       "case_id",
        "index",  "idx",   "no",      "number", "sample",     "job",
        "job_id", "jobid", "eval_id", "sim",    "simulation", "sim_id"};
    return std::ranges::find(numbers, plainName(table, column)) != numbers.end();
}

/// Running numbers that are called so, or of so many runs that they are no parameter by chance;
/// Dakota's, beside a column that says what ran them.
bool isNumberOfRun(const TextTable &table, std::size_t column)
{
    constexpr std::size_t many = 10;
    return (isCount(table, column) && (isNumberByName(table, column) || table.rows() >= many))
           || (table.columns()[column].name == "eval_id" && table.find("interface"));
}

/// Words of which half at least name files in the folder; of several such columns the first.
std::optional<std::size_t> columnOfFiles(const MaybeRoles &roles, const TextTable &table,
                                         const std::filesystem::path &folder)
{
    for (std::size_t c = 0; c < roles.size(); ++c) {
        if (roles[c] || isOfNumbers(table, c))
            continue;
        std::size_t files = 0;
        for (std::size_t row = 0; row < table.rows(); ++row)
            files += isFile(folder, table.cell(row, c)) ? 1 : 0;
        if (files > 0 && 2 * files >= table.rows())
            return c;
    }
    return std::nullopt;
}

/// Whether one of these columns is a parameter or looks like one.
bool hasParameters(const MaybeRoles &roles, const TextTable &table, std::size_t begin,
                   std::size_t end)
{
    for (std::size_t c = begin; c < end; ++c)
        if (roles[c] ? roles[c] == ColumnRole::parameter
                     : isOfNumbers(table, c) && !isNumberOfRun(table, c))
            return true;
    return false;
}

void guessParameters(MaybeRoles &roles, const TextTable &table, std::vector<std::string> &notes)
{
    if (!has(roles, ColumnRole::file) && !has(roles, ColumnRole::response)) {
        const auto last = std::find(roles.rbegin(), roles.rend(), std::nullopt);
        if (last != roles.rend())
            *last = ColumnRole::response;
    }
    const auto files = static_cast<std::size_t>(std::ranges::find(roles, ColumnRole::file)
                                                - roles.begin()); // or their number
    bool areOthers = hasParameters(roles, table, 0, roles.size());
    const bool areInFront = files < roles.size() && hasParameters(roles, table, 0, files);
    for (std::size_t c = 0; c < roles.size(); ++c) {
        if (roles[c] || !isOfNumbers(table, c))
            continue;
        const auto &name = table.columns()[c].name;
        const bool isCounted = areOthers && isNumberOfRun(table, c);
        roles[c] =
            isCounted || (areInFront && c > files) ? ColumnRole::ignored : ColumnRole::parameter;
        areOthers = areOthers || roles[c] == ColumnRole::parameter;
        if (isCounted)
            notes.push_back(fmt::format("the column {} is left out, for it numbers the runs: make "
                                        "it a parameter if it is one",
                                        name));
        else if (roles[c] == ColumnRole::ignored)
            notes.push_back(fmt::format("the column {} is left out, for it stands behind the files "
                                        "and looks like a result: make it a parameter if it is one",
                                        name));
    }
    if (has(roles, ColumnRole::time))
        return;
    for (std::size_t c = 0; c < roles.size(); ++c) {
        const auto &name = table.columns()[c].name;
        if (roles[c] == ColumnRole::parameter
            && std::ranges::find(usualTimeColumns, name) != usualTimeColumns.end()) {
            roles[c] = ColumnRole::time;
            notes.push_back(
                fmt::format("the column {0} is taken as the time, so that rows that differ in "
                            "{0} alone are one run: make it a parameter if it is another",
                            name));
            return;
        }
    }
}

/// What a column may be that nothing depends on; empty if it looks like a quantity.
std::string_view suspicionOf(const TextTable &table, std::size_t column)
{
    constexpr std::array<std::string_view, 11> times{
        "wall_time",    "walltime", "wall",    "cpu_time", "cputime",  "elapsed",
        "elapsed_time", "run_time", "runtime", "duration", "wallclock"};
    constexpr std::array<std::string_view, 5> sizes{"size", "bytes", "file_size", "filesize",
                                                    "file_bytes"};
    const auto name = plainName(table, column);
    const auto isOneOf = [&](const auto &names) {
        return std::ranges::find(names, name) != std::ranges::end(names);
    };
    if (isNumberByName(table, column) || isCount(table, column))
        return "a number of the run";
    if (name == "seed" || name == "random_seed" || name == "rng_seed")
        return "the seed of a random generator";
    if (isOneOf(times))
        return "a time of computing";
    return isOneOf(sizes) ? "the size of a file" : "";
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

TextTable readScatteredTable(const std::filesystem::path &path, const TableReading &reading)
{
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code))
        throw Error("There is no table " + path.string() + "; name a CSV file");
    auto table = readTextTable(path.string(), reading);
    if (table.rows() > mostScatteredRows)
        throw Error(fmt::format("{} has more than {} rows: kriging is made of {} runs at most, so "
                                "choose some",
                                table.source(), mostScatteredRows, FieldKriging::mostRuns));
    return table;
}

bool isFile(const std::filesystem::path &folder, std::string_view name)
{
    std::error_code code;
    return !name.empty() && std::filesystem::is_regular_file(folder / name, code);
}

ScatteredRoles scatteredRoles(const TextTable &table, const ScatteredChoice &choice,
                              const std::filesystem::path &folder)
{
    MaybeRoles roles(table.columns().size());
    for (const auto &name : choice.parameters)
        choose(roles, table, name, ColumnRole::parameter);
    for (const auto &name : choice.ignored)
        choose(roles, table, name, ColumnRole::ignored);
    for (const auto &name : choice.responses)
        choose(roles, table, name, ColumnRole::response);
    if (!choice.time.empty())
        choose(roles, table, choice.time, ColumnRole::time);
    if (!choice.file.empty()) {
        choose(roles, table, choice.file, ColumnRole::file);
    } else if (const auto usual = table.find(usualFileColumn)) {
        roles[*usual] = roles[*usual].value_or(ColumnRole::file);
    } else if (!folder.empty()) {
        if (const auto files = columnOfFiles(roles, table, folder))
            roles[*files] = ColumnRole::file;
    }
    const auto chosen = roles;
    ScatteredRoles result;
    if (choice.parameters.empty())
        guessParameters(roles, table, result.notes);
    const auto parameters = std::ranges::count(roles, ColumnRole::parameter)
                            + std::ranges::count(roles, ColumnRole::time);
    for (std::size_t c = 0; c < roles.size(); ++c) {
        const auto &column = table.columns()[c];
        const bool isGuessed = !chosen[c] && roles[c] && roles[c] != ColumnRole::ignored;
        const bool isOnly = roles[c] == ColumnRole::parameter && parameters == 1;
        if (const auto suspicion = suspicionOf(table, c);
            !suspicion.empty() && isGuessed && !isOnly)
            result.notes.push_back(fmt::format("the column {}, which is taken as a {}, may be {}: "
                                               "ignore it if it is",
                                               column.name, toString(*roles[c]), suspicion));
        if (!roles[c] && !isOfNumbers(table, c))
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

std::string readingText(const TextTable &table, const std::vector<ColumnRole> &roles)
{
    std::string text = table.format();
    const auto add = [&](ColumnRole role, std::string_view one, std::string_view several) {
        std::vector<std::string> names;
        for (std::size_t c = 0; c < roles.size(); ++c)
            if (roles[c] == role)
                names.push_back(
                    table.columns()[c].unit.empty()
                        ? table.columns()[c].name
                        : fmt::format("{} [{}]", table.columns()[c].name, table.columns()[c].unit));
        if (!names.empty())
            text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", fmt::join(names, ", "),
                                names.size() == 1 ? one : several);
    };
    add(ColumnRole::parameter, "parameter", "parameters");
    add(ColumnRole::time, "time", "times");
    add(ColumnRole::file, "result files", "result files");
    add(ColumnRole::response, "response", "responses");
    return text;
}

ScatteredChoice choiceOf(const TextTable &table, const std::vector<ColumnRole> &roles)
{
    ScatteredChoice choice;
    for (std::size_t c = 0; c < roles.size(); ++c) {
        const auto &name = table.columns()[c].name;
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
