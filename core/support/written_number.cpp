// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/written_number.h"

#include "core/support/parse_numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace gridhelm {
namespace {

constexpr std::string_view exponentLetters = "eEdDqQ"; // of C and Fortran
constexpr std::string_view minusSign = "\u2212";
/// Between groups of three digits in any style.
constexpr std::array<std::string_view, 4> groupMarks{"'", "\u00A0", "\u202F", "\u2009"};

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// The parts of a number, before anybody says what points and commas are.
struct Parts
{
    bool isNegative = false;
    std::string mantissa; ///< digits, points and commas
    std::string exponent; ///< "-12"; empty if there is none
    std::string_view unit;
    bool hasMarks = false; ///< of groupMarks, in their places, and taken away
};

/// Takes the sign away; false if there are two.
bool takeSign(std::string_view &text, bool &isNegative)
{
    if (text.starts_with(minusSign)) {
        isNegative = true;
        text.remove_prefix(minusSign.size());
    } else if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
        isNegative = text.front() == '-';
        text.remove_prefix(1);
    }
    return !text.empty() && (isDigit(text.front()) || text.front() == '.' || text.front() == ',');
}

/// The mark that stands at the beginning, if three digits follow; empty if there is none.
std::string_view markAt(std::string_view text)
{
    for (const auto mark : groupMarks) {
        if (!text.starts_with(mark))
            continue;
        const auto behind = text.substr(mark.size());
        return behind.size() >= 3 && std::ranges::all_of(behind.substr(0, 3), isDigit)
                       && (behind.size() == 3 || !isDigit(behind[3]))
                   ? mark
                   : std::string_view();
    }
    return {};
}

void takeMantissa(std::string_view &text, Parts &parts)
{
    while (!text.empty()) {
        if (isDigit(text.front()) || text.front() == '.' || text.front() == ',') {
            parts.mantissa += text.front();
            text.remove_prefix(1);
            continue;
        }
        const auto mark = markAt(text);
        if (mark.empty() || parts.mantissa.empty()
            || (!parts.hasMarks && parts.mantissa.size() > 3))
            return;
        parts.hasMarks = true;
        text.remove_prefix(mark.size());
    }
}

/// Of C ("e-12") or Fortran ("D+00", "-101").
void takeExponent(std::string_view &text, Parts &parts)
{
    auto rest = text;
    const bool hasLetter =
        !rest.empty() && exponentLetters.find(rest.front()) != std::string_view::npos;
    if (hasLetter)
        rest.remove_prefix(1);
    std::string exponent;
    if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) {
        exponent += rest.front() == '-' ? "-" : "";
        rest.remove_prefix(1);
    } else if (!hasLetter) {
        return;
    }
    const auto digits =
        static_cast<std::size_t>(std::ranges::find_if_not(rest, isDigit) - rest.begin());
    if (digits == 0
        || (!hasLetter && (digits != 3 || parts.mantissa.find('.') == std::string::npos)))
        return;
    parts.exponent = exponent + std::string(rest.substr(0, digits));
    text = rest.substr(digits);
}

/// Whether it may stand behind a number: "mm", "%", "[N/m]". Right behind it, what could be a
/// spoiled exponent may not: "1.5X00", "1e".
bool isUnit(std::string_view text)
{
    constexpr std::size_t longest = 24;
    const bool isBehindBlank = text.front() == ' ' || text.front() == '\t';
    const auto unit = trimmed(text);
    const auto first = static_cast<unsigned char>(unit.front());
    if (!isBehindBlank
        && (std::ranges::any_of(unit, isDigit)
            || (unit.size() == 1 && exponentLetters.find(unit.front()) != std::string_view::npos)))
        return false;
    return unit.size() <= longest
           && ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '%'
               || first == '[' || first == '(' || first >= 0x80);
}

std::optional<Parts> partsOf(std::string_view text)
{
    Parts parts;
    text = trimmed(text);
    if (!takeSign(text, parts.isNegative))
        return std::nullopt;
    takeMantissa(text, parts);
    takeExponent(text, parts);
    if (std::ranges::none_of(parts.mantissa, isDigit))
        return std::nullopt;
    if (!text.empty() && !isUnit(text)) // there is no blank at its end
        return std::nullopt;
    text = trimmed(text);
    if (text.size() > 2
        && ((text.front() == '[' && text.back() == ']')
            || (text.front() == '(' && text.back() == ')')))
        text = text.substr(1, text.size() - 2);
    parts.unit = text;
    return parts;
}

/// Whether all of these marks stand between groups of three digits, as in "1,234,567".
bool areGroups(std::string_view digits, char mark)
{
    auto group = digits.find(mark);
    if (group == 0 || group > 3 || digits.front() == '0')
        return false;
    digits.remove_prefix(group + 1);
    for (;;) {
        group = std::min(digits.find(mark), digits.size());
        if (group != 3)
            return false;
        if (group == digits.size())
            return true;
        digits.remove_prefix(group + 1);
    }
}

} // namespace

std::optional<WrittenNumber> writtenNumber(std::string_view text, const NumberStyle &style)
{
    const auto parts = partsOf(text);
    if (!parts)
        return std::nullopt;
    const char mark = style.decimal == '.' ? ',' : '.';
    const auto end = std::min(parts->mantissa.find(style.decimal), parts->mantissa.size());
    auto whole = parts->mantissa.substr(0, end);
    const auto fraction = parts->mantissa.substr(end);
    if (whole.find(mark) != std::string::npos) {
        if (!style.areGrouped || parts->hasMarks || !areGroups(whole, mark))
            return std::nullopt;
        std::erase(whole, mark);
    }
    std::string number = (parts->isNegative ? "-" : "") + whole;
    if (fraction.size() > 1) {
        if (fraction.find_first_not_of("0123456789", 1) != std::string::npos)
            return std::nullopt;
        number += "." + fraction.substr(1);
    }
    if (!parts->exponent.empty())
        number += "e" + parts->exponent;
    double value = 0;
    const auto [last, code] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (code != std::errc() || last != number.data() + number.size())
        return std::nullopt;
    return WrittenNumber{value, parts->unit};
}

bool StyleEvidence::add(std::string_view text)
{
    const auto parts = partsOf(text);
    if (!parts)
        return false;
    const auto &mantissa = parts->mantissa;
    const auto points = std::ranges::count(mantissa, '.'),
               commas = std::ranges::count(mantissa, ',');
    if (points == 0 && commas == 0)
        return true;
    if (points > 0 && commas > 0) { // the last one is the decimal one
        const bool isPoint = mantissa.rfind('.') > mantissa.rfind(',');
        const char mark = isPoint ? ',' : '.';
        const auto whole = mantissa.substr(0, mantissa.find(isPoint ? '.' : ','));
        if ((isPoint ? points : commas) != 1 || !areGroups(whole, mark))
            return false;
        ++(isPoint ? m_points : m_commas);
        (isPoint ? m_commaGroups : m_pointGroups) = true;
        return true;
    }
    const char mark = points > 0 ? '.' : ',';
    const bool canBeGroups =
        parts->exponent.empty() && !parts->hasMarks && areGroups(mantissa, mark);
    if (points + commas > 1) {
        if (!canBeGroups)
            return false;
        ++(points > 0 ? m_commas : m_points);
        (points > 0 ? m_pointGroups : m_commaGroups) = true;
    } else if (canBeGroups) {
        ++(points > 0 ? m_openPoints : m_openCommas);
    } else {
        ++(points > 0 ? m_points : m_commas);
    }
    return true;
}

NumberStyle StyleEvidence::style(bool commasSeparate) const
{
    if (m_commas > m_points
        || (m_commas + m_points == 0 && m_openCommas > 0 && m_openPoints == 0 && !commasSeparate))
        return {',', m_pointGroups};
    return {'.', m_commaGroups || (commasSeparate && m_points > 0)};
}

} // namespace gridhelm
