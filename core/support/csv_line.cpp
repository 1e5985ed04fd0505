// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/csv_line.h"

#include "core/support/clean_text.h"
#include "core/support/error.h"

#include <charconv>

namespace gridhelm {
namespace {

bool isNumber(std::string_view text)
{
    if (text.starts_with('+'))
        text.remove_prefix(1);
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code != std::errc::invalid_argument && end == text.data() + text.size();
}

/// Whether a spreadsheet would compute it, or would if apostrophes were taken away: so what has one
/// of its own gets another one, and what is read is what was written.
bool isFormula(std::string_view text)
{
    const auto first = text.find_first_not_of('\'');
    return first != std::string_view::npos
           && std::string_view("=+-@").find(text[first]) != std::string_view::npos
           && !(first == 0 && isNumber(text));
}

} // namespace

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
        const auto begin = cell.find_first_not_of(" \t\r");
        const auto end = cell.find_last_not_of(" \t\r");
        cell = begin == std::string::npos
                   ? ""
                   : withoutGuard(std::string_view(cell).substr(begin, end - begin + 1));
    }
    return cells;
}

std::string_view withoutGuard(std::string_view cell)
{
    return cell.substr(cell.starts_with('\'') && isFormula(cell) ? 1 : 0);
}

std::string csvCell(std::string_view text)
{
    auto cell = cleanLine(text);
    // Blanks before it would be taken away by whoever reads it.
    cell.erase(0, cell.find_first_not_of(' '));
    if (isFormula(cell))
        cell.insert(0, 1, '\'');
    if (cell.find_first_of(",\"") == std::string::npos)
        return cell;
    std::string quoted = "\"";
    for (const char c : cell)
        quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
    return quoted + "\"";
}

} // namespace gridhelm
