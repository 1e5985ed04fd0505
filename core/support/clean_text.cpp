// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/support/clean_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace gridhelm {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD"; // U+FFFD

struct Character
{
    char32_t code = 0;
    std::size_t bytes = 1;
    bool isValid = false;
};

/// The character that `text` begins with; of one that is no UTF-8, the bytes that one U+FFFD
/// stands for (Unicode 15, table 3-7 and "substitution of maximal subparts").
Character firstOf(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    const std::uint8_t lead = byte(0);
    if (lead < 0x80)
        return {lead, 1, true};
    if (lead < 0xC2 || lead > 0xF4)
        return {};
    const std::size_t length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    // The second byte also excludes what is too long, surrogates, and what is above U+10FFFF.
    std::uint8_t least = 0x80, most = 0xBF;
    if (lead == 0xE0)
        least = 0xA0;
    else if (lead == 0xED)
        most = 0x9F;
    else if (lead == 0xF0)
        least = 0x90;
    else if (lead == 0xF4)
        most = 0x8F;
    Character character{static_cast<char32_t>(lead & (0x7F >> length)), 1, false};
    for (; character.bytes < length; ++character.bytes) {
        if (character.bytes == text.size() || byte(character.bytes) < least
            || byte(character.bytes) > most)
            return character;
        character.code = character.code << 6 | (byte(character.bytes) & 0x3F);
        least = 0x80;
        most = 0xBF;
    }
    character.isValid = true;
    return character;
}

bool isControl(char32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

/// Shows what follows in another order, or ends a line.
bool isLayout(char32_t code)
{
    return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069)
           || code == 0x2028 || code == 0x2029;
}

/// Has no width, or is not meant to be seen. Letters of some scripts need a few of these.
bool isInvisible(char32_t code)
{
    return code == 0xAD || code == 0x61C || (code >= 0x200B && code <= 0x200F)
           || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF
           || (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE007F);
}

/// At least that many.
std::string hexDigits(char32_t code, int least)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text;
    for (int shift = 20; shift >= 0; shift -= 4)
        if (shift < 4 * least || code >> shift != 0)
            text += digits[code >> shift & 0xF];
    return text;
}

bool isPlain(char c)
{
    return c >= ' ' && c <= '~';
}

/// Characters that are plain go through; whether others do, and as what, is for `spell` to say.
template <typename Spell>
std::string cleaned(std::string_view text, Spell spell)
{
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    while (!text.empty()) {
        const auto plain = static_cast<std::size_t>(
            std::find_if_not(text.begin(), text.end(), isPlain) - text.begin());
        result += text.substr(0, plain);
        text.remove_prefix(plain);
        if (text.empty())
            break;
        const auto character = firstOf(text);
        if (!character.isValid)
            result += replacement;
        else if (isControl(character.code) || isLayout(character.code))
            result += spell(character.code, text);
        else
            result += text.substr(0, character.bytes);
        text.remove_prefix(character.bytes);
    }
    return result;
}

std::string spelledOut(char32_t code)
{
    return "<U+" + hexDigits(code, 4) + ">";
}

bool endsLine(char32_t code)
{
    return code == '\n' || code == '\r' || code == '\v' || code == '\f';
}

} // namespace

std::string cleanLine(std::string_view text)
{
    return cleaned(text, [](char32_t code, std::string_view) {
        return endsLine(code) || code == '\t' ? " " : spelledOut(code);
    });
}

std::string cleanLines(std::string_view text)
{
    if (isPlainLines(text))
        return std::string(text);
    return cleaned(text, [](char32_t code, std::string_view rest) -> std::string {
        if (code == '\t')
            return "\t";
        if (code == '\r' && rest.size() > 1 && rest[1] == '\n')
            return {}; // the next one ends the line
        return endsLine(code) ? "\n" : spelledOut(code);
    });
}

std::string everythingSpelledOut(std::string_view text)
{
    std::string result;
    for (; !text.empty(); text.remove_prefix(firstOf(text).bytes)) {
        const auto character = firstOf(text);
        const auto bytes = text.substr(0, character.bytes);
        const bool isHidden =
            isControl(character.code) || isLayout(character.code) || isInvisible(character.code);
        if (!character.isValid)
            for (const char byte : bytes)
                result += "<0x" + hexDigits(static_cast<unsigned char>(byte), 2) + ">";
        else if (isHidden && character.code != '\n' && character.code != '\t')
            result += spelledOut(character.code);
        else
            result += bytes;
    }
    return result;
}

std::string validUtf8(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (; !text.empty(); text.remove_prefix(firstOf(text).bytes)) {
        const auto character = firstOf(text);
        result += character.isValid && character.code != 0 ? text.substr(0, character.bytes)
                                                           : replacement;
    }
    return result;
}

bool isPlainLines(std::string_view text)
{
    // Without a branch in the loop, so that it is done for many bytes at once.
    constexpr std::size_t block = 4096;
    for (std::size_t begin = 0; begin < text.size(); begin += block) {
        bool isGood = true;
        for (const char c : text.substr(begin, block))
            isGood &= isPlain(c) | (c == '\n') | (c == '\t');
        if (!isGood)
            return false;
    }
    return true;
}

std::string cleanJson(std::string_view document)
{
    return cleaned(document, [](char32_t code, std::string_view) {
        return code == '\n' ? "\n" : "\\u" + hexDigits(code, 4);
    });
}

std::string markedLines(std::string_view text)
{
    std::string lines = "    | ";
    for (const char c : everythingSpelledOut(text))
        lines += c == '\n' ? std::string("\n    | ") : std::string(1, c);
    return lines + "\n";
}

} // namespace gridhelm
