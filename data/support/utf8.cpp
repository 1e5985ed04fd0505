// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/support/utf8.h"

#include <fmt/format.h>

#include <cstddef>

namespace gridhelm::data {

namespace {

struct Character
{
    char32_t code = 0;
    std::size_t bytes = 0; ///< 0: there is no character
};

/// The one that `text`, which is not empty, begins with. Table 3-7 of the Unicode standard.
Character characterAt(std::string_view text)
{
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x80)
        return {first, 1};
    const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < bytes)
        return {};
    char32_t code = first & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        const auto next = static_cast<unsigned char>(text[i]);
        if ((next & 0xC0) != 0x80)
            return {};
        code = (code << 6) | (next & 0x3FU);
    }
    const bool isTooLong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    if (isTooLong || (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF)
        return {};
    return {code, bytes};
}

bool isObeyedOrHidden(char32_t code)
{
    const auto isIn = [&](char32_t low, char32_t high) { return code >= low && code <= high; };
    return (code < 0x20 && code != '\t' && code != '\n') || isIn(0x7F, 0x9F) || code == 0xAD
           || code == 0x61C || isIn(0x200B, 0x200F) || isIn(0x2028, 0x202E) || isIn(0x2060, 0x206F)
           || code == 0xFEFF || isIn(0xFFF9, 0xFFFB) || isIn(0xE0000, 0xE007F);
}

/// Every character, or bad byte (with bytes == 0), in turn.
template <typename Visit>
void visitCharacters(std::string_view text, Visit visit)
{
    while (!text.empty()) {
        const auto character = characterAt(text);
        const auto bytes = character.bytes > 0 ? character.bytes : 1;
        visit(character, text.substr(0, bytes));
        text.remove_prefix(bytes);
    }
}

} // namespace

std::string validUtf8(std::string_view text)
{
    std::string valid;
    valid.reserve(text.size());
    visitCharacters(text, [&](Character character, std::string_view bytes) {
        if (character.bytes > 0 && character.code != 0)
            valid += bytes;
        else
            valid += "\uFFFD";
    });
    return valid;
}

std::string writtenOut(std::string_view text)
{
    std::string shown;
    visitCharacters(text, [&](Character character, std::string_view bytes) {
        if (character.bytes == 0 || (character.bytes == 1 && isObeyedOrHidden(character.code)))
            shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
        else if (isObeyedOrHidden(character.code))
            shown += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(character.code));
        else
            shown += bytes;
    });
    return shown;
}

} // namespace gridhelm::data
