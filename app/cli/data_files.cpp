// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_files.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "core/support/value_file.h"

#include <fmt/format.h>

namespace gridhelm::cli {

std::vector<double> readPoints(const std::string &path, int dimension)
{
    const auto d = static_cast<std::size_t>(dimension);
    std::vector<double> coordinates;
    forEachLine(path, [&](const std::string &line, std::uint64_t number) {
        const std::string where = fmt::format("line {} of {}", number, path);
        const std::size_t first = coordinates.size();
        parseReals(line, where, coordinates);
        const std::size_t found = coordinates.size() - first;
        if (found != d)
            throw Error(fmt::format("{} holds {} coordinates, but the grid has {} dimensions: give "
                                    "one coordinate per dimension, separated by commas",
                                    where, found, d));
        for (std::size_t t = 0; t < d; ++t)
            if (!(coordinates[first + t] >= 0.0 && coordinates[first + t] <= 1.0))
                throw Error(fmt::format("{}: coordinate {} is {}, outside [0, 1]: scale the points "
                                        "to the unit cube",
                                        where, t + 1, coordinates[first + t]));
    });
    if (coordinates.empty())
        throw Error(path + " holds no points: write one point a line");
    return coordinates;
}

} // namespace gridhelm::cli
