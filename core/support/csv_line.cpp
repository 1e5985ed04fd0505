// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/csv_line.h"

#include "core/support/error.h"

namespace gridhelm {

std::vector<std::string> csvCells(std::string_view line, const std::string &place)
{
    std::vector<std::string> cells(1);
    bool inQuotes = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && inQuotes && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += '"';
            ++i;
        } else if (line[i] == '"') {
            inQuotes = !inQuotes;
        } else if (line[i] == ',' && !inQuotes) {
            cells.emplace_back();
        } else {
            cells.back() += line[i];
        }
    }
    if (inQuotes)
        throw Error(place + ": a quote is not closed; close it");
    for (auto &cell : cells) {
        const auto begin = cell.find_first_not_of(" \t");
        const auto end = cell.find_last_not_of(" \t");
        cell = begin == std::string::npos ? "" : cell.substr(begin, end - begin + 1);
    }
    return cells;
}

std::string csvCell(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char c : text)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

} // namespace gridhelm
