// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_files.h"

#include "core/support/error.h"
#include "core/support/text_table.h"

#include <fmt/format.h>

namespace gridhelm::cli {

std::vector<double> readPoints(const std::string &path, int dimension)
{
    const auto d = static_cast<std::size_t>(dimension);
    const auto table = readTextTable(path, {.header = TableHeader::optional});
    if (table.columns().size() != d)
        throw Error(fmt::format("{} holds {} coordinates, but the grid has {} dimensions: give one "
                                "column per dimension",
                                table.place(0), table.columns().size(), d));
    std::vector<double> coordinates;
    coordinates.reserve(table.rows() * d);
    for (std::size_t row = 0; row < table.rows(); ++row)
        for (std::size_t t = 0; t < d; ++t) {
            coordinates.push_back(table.finiteNumber(row, t));
            if (!(coordinates.back() >= 0.0 && coordinates.back() <= 1.0))
                throw Error(fmt::format("{}: coordinate {} is {}, outside [0, 1]: scale the points "
                                        "to the unit cube",
                                        table.place(row), t + 1, coordinates.back()));
        }
    return coordinates;
}

} // namespace gridhelm::cli
