// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/csv_lines.h"

#include "core/support/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

namespace gridhelm::data {

CsvLines::CsvLines(std::string_view text, std::string_view source)
    : m_rest(text)
    , m_source(source)
{
}

std::optional<std::string_view> CsvLines::next()
{
    while (!m_rest.empty()) {
        const auto end = std::min(m_rest.find('\n'), m_rest.size());
        auto line = m_rest.substr(0, end);
        m_rest.remove_prefix(std::min(end + 1, m_rest.size()));
        ++m_number;
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (m_number == 1 && line.starts_with("\xEF\xBB\xBF"))
            line.remove_prefix(3);
        if (line.find_first_not_of(" \t") != std::string_view::npos && line.front() != '#')
            return line;
    }
    return std::nullopt;
}

std::optional<double> numberIn(std::string_view cell)
{
    double value = 0;
    const auto [end, code] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (code != std::errc() || end != cell.data() + cell.size())
        return std::nullopt;
    return value;
}

double finiteNumberIn(const std::string &cell, const std::string &place, const std::string &name)
{
    const auto value = numberIn(cell);
    if (!value || !std::isfinite(*value))
        throw Error(place + ": '" + cell.substr(0, 40) + "' is not a finite number for " + name
                    + "; correct it");
    return *value;
}

std::string csvText(const std::filesystem::path &path)
{
    std::error_code code;
    if (!std::filesystem::is_regular_file(path, code))
        throw Error("There is no table " + path.string() + "; name a CSV file");
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file || file.bad())
        throw Error("The table " + path.string() + " cannot be read; check that you may read it");
    return text;
}

} // namespace gridhelm::data
