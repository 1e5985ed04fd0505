// SPDX-License-Identifier: GPL-3.0-or-later
//
// Files as broken disks, broken transfers and bad editors leave them.
#pragma once

#include "tests/core/random.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::test {

/// One to eight changes somewhere: bits, bytes, runs of them, pieces from elsewhere in the file.
inline void damageBytes(Random &random, std::vector<char> &bytes)
{
    for (int changes = random.chance(0.5) ? 1 : random.integer(2, 8); changes > 0 && !bytes.empty();
         --changes) {
        const auto at = random.index(bytes.size());
        const auto count = std::min<std::size_t>(bytes.size() - at, 1 + random.index(200));
        const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = place + static_cast<std::ptrdiff_t>(count);
        switch (random.integer(0, 7)) {
        case 0:
            *place = static_cast<char>(random.integer(0, 255));
            break;
        case 1:
        case 2:
            *place = static_cast<char>(*place ^ (1 << random.integer(0, 7)));
            break;
        case 3:
            std::fill(place, end, random.chance(0.5) ? '\0' : '\xff');
            break;
        case 4: {
            const auto from = random.index(bytes.size() - count + 1);
            std::memmove(bytes.data() + at, bytes.data() + from, count);
            break;
        }
        case 5:
            bytes.erase(place, end);
            break;
        case 6: {
            const std::vector<char> again(place, end);
            bytes.insert(place, again.begin(), again.end());
            break;
        }
        default:
            if (random.chance(0.2))
                bytes.resize(at);
        }
    }
}

/// Whole pages: exchanged, repeated, emptied, cut off; and bytes where pages have their structure.
inline void damagePages(Random &random, std::vector<char> &bytes, std::size_t pageBytes)
{
    for (int changes = random.integer(1, 4); changes > 0; --changes) {
        const auto pages = bytes.size() / pageBytes;
        if (pages < 2)
            return;
        // Often the first page: the header, and the tables' definitions.
        auto *page = bytes.data() + (random.chance(0.2) ? 0 : random.index(pages)) * pageBytes;
        auto *other = bytes.data() + random.index(pages) * pageBytes;
        switch (random.integer(0, 6)) {
        case 0:
            std::swap_ranges(page, page + pageBytes, other);
            break;
        case 1:
            if (page != other)
                std::memcpy(page, other, pageBytes);
            break;
        case 2:
            std::memset(page, 0, pageBytes);
            break;
        case 3:
            bytes.resize((1 + random.index(pages)) * pageBytes - random.index(2));
            break;
        default: // the page's header and its cell pointers
            for (int i = random.integer(1, 4); i > 0; --i)
                page[random.index(random.chance(0.5) ? 12 : 128)] =
                    static_cast<char>(random.integer(0, 255));
        }
    }
}

/// A text in which words, numbers and lines are changed into others, nasty ones among them; now and
/// then bytes as well.
inline std::string damageText(Random &random, std::string text)
{
    static const std::vector<std::string> nasty{
        "",
        "0",
        "-1",
        "1e308",
        "-1e309",
        "1e-320",
        "nan",
        "inf",
        "-inf",
        "0x7f",
        "2147483648",
        "9223372036854775807",
        "18446744073709551616",
        "99999999999999999999999",
        "1.5.2",
        "true",
        "1979-05-27T07:32:00Z",
        "\"\"",
        "\"",
        "'''",
        "{}",
        "[]",
        "[[",
        "]]",
        "{",
        "}",
        "=",
        ",",
        "#",
        "<",
        ">",
        "/>",
        "&lt;",
        "&#0;",
        "\r",
        "\xEF\xBB\xBF",
        "\xff\xfe",
        std::string(1, '\0'),
        std::string(5000, 'x'),
        std::string(3000, '['),
        std::string(3000, '{'),
        std::string(400, '9'),
    };
    const auto isWord = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
               || c == '.' || c == '-' || c == '_' || c == '+';
    };
    // Often one change only, so that others are not hidden behind the first that is refused.
    for (int changes = random.chance(0.6) ? 1 : random.integer(2, 4); changes > 0 && !text.empty();
         --changes) {
        const auto at = random.index(text.size());
        // The word here, or the one character.
        auto begin = at, end = at;
        while (begin > 0 && isWord(text[begin - 1]) && isWord(text[at]))
            --begin;
        while (end < text.size() && isWord(text[end]))
            ++end;
        end = std::max(end, at + 1);
        // The line here.
        const auto before = text.rfind('\n', at == 0 ? 0 : at - 1);
        const auto lineBegin = before == std::string::npos ? 0 : before + 1;
        const auto lineEnd = std::min(text.find('\n', lineBegin), text.size() - 1) + 1;
        const auto line = text.substr(lineBegin, lineEnd - lineBegin);
        switch (random.integer(0, 9)) {
        case 8:
        case 9: // another number
            if (const auto digit = text.find_first_of("0123456789", at); digit != text.npos)
                text[digit] = static_cast<char>('0' + random.integer(0, 9));
            break;
        case 0:
        case 1:
        case 2:
            text.replace(begin, end - begin, nasty[random.index(nasty.size())]);
            break;
        case 3:
            text.insert(at, nasty[random.index(nasty.size())]);
            break;
        case 4: { // a word from elsewhere
            const auto from = random.index(text.size());
            auto stop = from;
            while (stop < text.size() && isWord(text[stop]))
                ++stop;
            const auto word = text.substr(from, stop - from);
            text.replace(begin, end - begin, word);
            break;
        }
        case 5:
            text.erase(lineBegin, line.size());
            break;
        case 6:
            text.insert(random.chance(0.5) ? lineBegin : text.size(), line);
            break;
        default: {
            std::vector<char> bytes(text.begin(), text.end());
            damageBytes(random, bytes);
            text.assign(bytes.begin(), bytes.end());
        }
        }
    }
    return text;
}

} // namespace gridhelm::test
