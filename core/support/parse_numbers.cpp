// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/parse_numbers.h"

#include "core/support/error.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace gridhelm {
namespace {

/// Long or unprintable text would make the sentence unreadable.
std::string quoted(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text.substr(0, 30))
        result += c >= ' ' && c <= '~' ? c : '?';
    return result + (text.size() > 30 ? "...\"" : "\"");
}

template <typename Number>
Number parseNumber(std::string_view text, std::string_view what, std::string_view kind)
{
    text = trimmed(text);
    std::string_view digits = text;
    if (digits.size() > 1 && digits.front() == '+' && digits[1] != '-')
        digits.remove_prefix(1); // from_chars knows no plus sign
    Number number{};
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error == std::errc::result_out_of_range)
        throw Error(
            fmt::format("{}: {} is too large or too small: give {}", what, quoted(text), kind));
    if (error != std::errc{} || end != digits.data() + digits.size())
        throw Error(fmt::format("{}: {} is not a number: give {}", what, quoted(text), kind));
    return number;
}

template <typename Function>
void forEachField(std::string_view text, Function &&function)
{
    if (trimmed(text).empty())
        return;
    for (;;) {
        const auto comma = text.find(',');
        function(text.substr(0, comma));
        if (comma == std::string_view::npos)
            return;
        text.remove_prefix(comma + 1);
    }
}

} // namespace

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view blanks = " \t\r\n";
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

int parseInteger(std::string_view text, std::string_view what)
{
    return parseNumber<int>(text, what, "a whole number");
}

std::uint64_t parseIndex(std::string_view text, std::string_view what)
{
    return parseNumber<std::uint64_t>(text, what, "a whole number, not below 0");
}

double parseReal(std::string_view text, std::string_view what)
{
    const auto number = parseNumber<double>(text, what, "a decimal number");
    if (!std::isfinite(number))
        throw Error(fmt::format("{}: {} is not finite: give a decimal number", what, quoted(text)));
    return number;
}

double parseShare(std::string_view text, std::string_view what)
{
    const auto number = trimmed(text);
    if (number.ends_with('%'))
        return parseReal(number.substr(0, number.size() - 1), what) / 100;
    return parseReal(number, what);
}

std::optional<std::pair<double, double>> parseRange(std::string_view text, std::string_view what)
{
    const auto colon = text.find(':');
    if (colon == std::string_view::npos)
        return std::nullopt;
    return std::pair{parseReal(text.substr(0, colon), what),
                     parseReal(text.substr(colon + 1), what)};
}

std::vector<int> parseIntegers(std::string_view text, std::string_view what)
{
    std::vector<int> numbers;
    forEachField(text,
                 [&](std::string_view field) { numbers.push_back(parseInteger(field, what)); });
    return numbers;
}

std::vector<std::uint64_t> parseIndices(std::string_view text, std::string_view what)
{
    std::vector<std::uint64_t> numbers;
    forEachField(text, [&](std::string_view field) { numbers.push_back(parseIndex(field, what)); });
    return numbers;
}

void parseReals(std::string_view text, std::string_view what, std::vector<double> &out)
{
    forEachField(text, [&](std::string_view field) { out.push_back(parseReal(field, what)); });
}

} // namespace gridhelm
