// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/number_table.h"

#include "core/support/error.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gridhelm::cli {

std::vector<double> readNumberTable(const std::string &path, const std::vector<std::string> &names,
                                    TableHeader header)
{
    const auto table = readTextTable(path, {.header = header});
    const auto isNamed = !table.columns().front().name.empty();
    if (table.columns().size() != names.size())
        throw Error(fmt::format("{}: there are {} columns: give {}, {}", table.headerPlace(),
                                table.columns().size(), names.size(), fmt::join(names, ",")));
    std::vector<std::size_t> columns;
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto found = isNamed ? table.find(names[k]) : k;
        if (!found)
            throw Error(
                fmt::format("{} names other columns than {}: let it name each of these once",
                            table.headerPlace(), fmt::join(names, ",")));
        columns.push_back(*found);
    }
    std::vector<double> numbers;
    numbers.reserve(table.rows() * columns.size());
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (const auto column : columns)
            numbers.push_back(table.finiteNumber(row, column));
    return numbers;
}

} // namespace gridhelm::cli
