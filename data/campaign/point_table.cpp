// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/point_table.h"

#include "core/support/csv_line.h"
#include "data/campaign/fill_template.h"

namespace gridhelm::data {

std::string pointCsvHeader(const ParameterSpace &space)
{
    std::string line;
    for (const auto &parameter : space.parameters())
        line += (line.empty() ? "" : ",") + csvCell(parameter.name);
    return line + "\n";
}

std::string pointCsvRow(const std::vector<double> &values)
{
    std::string line;
    for (double value : values)
        line += (line.empty() ? "" : ",") + numberText(value);
    return line + "\n";
}

std::string pointCsv(const ParameterSpace &space, const sparse::SparseGrid &grid,
                     std::span<const std::uint64_t> points)
{
    auto text = pointCsvHeader(space);
    for (const auto point : points)
        text += pointCsvRow(space.valuesAt(grid, point));
    return text;
}

} // namespace gridhelm::data
