// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/campaign/command_words.h"

namespace gridhelm::ui {
namespace {

constexpr std::string_view blanks = " \t\r\n";

/// Where a character needs no quotes, also not for a reader who knows shells.
bool isPlain(char c)
{
    return blanks.find(c) == std::string_view::npos && c != '\'' && c != '"' && c != '\\';
}

std::string quoted(const std::string &word)
{
    bool needsNone = !word.empty();
    for (const char c : word)
        needsNone = needsNone && isPlain(c);
    if (needsNone)
        return word;
    std::string text = "\"";
    for (const char c : word) {
        if (c == '"' || c == '\\')
            text += '\\';
        text += c;
    }
    return text + "\"";
}

} // namespace

std::vector<std::string> wordsOf(std::string_view line)
{
    std::vector<std::string> words;
    bool isWord = false;
    char quote = 0; // that is open
    const auto add = [&](char c) {
        if (!isWord)
            words.emplace_back();
        isWord = true;
        if (c != 0)
            words.back() += c;
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool hasNext = i + 1 < line.size();
        if (quote != 0 && c == quote)
            quote = 0;
        else if (c == '\\' && hasNext
                 && (quote == 0 || (quote == '"' && (line[i + 1] == '"' || line[i + 1] == '\\'))))
            add(line[++i]);
        else if (quote == 0 && (c == '\'' || c == '"'))
            add(0), quote = c;
        else if (quote == 0 && blanks.find(c) != std::string_view::npos)
            isWord = false;
        else
            add(c);
    }
    return words;
}

std::string lineOf(const std::vector<std::string> &words)
{
    std::string line;
    for (const auto &word : words)
        line += (line.empty() ? "" : " ") + quoted(word);
    return line;
}

} // namespace gridhelm::ui
