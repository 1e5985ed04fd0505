// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/fill_template.h"

#include "core/support/error.h"
#include "data/support/shell_word.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace gridhelm::data {

namespace {

bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
           || c == '-';
}

template <typename Quote>
std::string fill(std::string_view text, const PlaceholderValues &values, Quote quote)
{
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '{') {
            const auto word = placeholderAt(text, at);
            const auto found = values.find(word);
            if (!word.empty() && found != values.end()) {
                result += quote(found->second);
                at += word.size() + 1;
                continue;
            }
        }
        result += text[at];
    }
    return result;
}

std::string quoted(const std::string &value)
{
    const bool plain = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
        return isNameCharacter(c) || c == '.' || c == '/' || c == '+' || c == ':';
    });
    // {times}: words of their own.
    const bool numbers = !value.empty() && value.find_first_not_of("0123456789.+-e ") == value.npos;
    if (plain || numbers)
        return value;
    return shellWord(value);
}

} // namespace

std::string_view placeholderAt(std::string_view text, std::size_t begin)
{
    auto end = begin + 1;
    while (end < text.size() && isNameCharacter(text[end]))
        ++end;
    if (end == text.size() || text[end] != '}')
        return {};
    return text.substr(begin + 1, end - begin - 1);
}

std::string fillTemplate(std::string_view text, const PlaceholderValues &values)
{
    return fill(text, values, [](const std::string &value) { return value; });
}

std::string fillShellTemplate(std::string_view text, const PlaceholderValues &values)
{
    return fill(text, values, quoted);
}

void requireKnownPlaceholders(std::string_view text, std::span<const std::string> names, bool shell)
{
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '{' || (shell && at > 0 && text[at - 1] == '$'))
            continue;
        const auto word = placeholderAt(text, at);
        if (word.empty() || std::find(names.begin(), names.end(), word) != names.end())
            continue;
        std::string known;
        for (const auto &name : names)
            known += (known.empty() ? "{" : ", {") + name + "}";
        throw Error("there is no {" + std::string(word) + "}; choose from " + known);
    }
}

std::string numberText(double value)
{
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                   std::chars_format::general, 15)
                         .ptr;
    return {digits.data(), end};
}

} // namespace gridhelm::data
