// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/palette/fuzzy_match.h"

#include <QStringList>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr int scoreOfWholeWord = 400, scoreOfBeginning = 300, scoreOfInside = 150,
              scoreOfLetters = 50;

bool beginsWord(const QString &text, qsizetype at)
{
    return at == 0 || !text[at - 1].isLetterOrNumber();
}

bool endsWord(const QString &text, qsizetype at)
{
    return at == text.size() || !text[at].isLetterOrNumber();
}

std::optional<int> scoreByLetters(const QString &word, const QString &text)
{
    int score = scoreOfLetters;
    qsizetype at = -1;
    for (const auto letter : word) {
        const auto next = text.indexOf(letter, at + 1, Qt::CaseInsensitive);
        if (next < 0)
            return std::nullopt;
        score += beginsWord(text, next) ? 8 : next == at + 1 ? 4 : 0;
        at = next;
    }
    return score - static_cast<int>(text.size()) / 8; // of a long text they say little
}

std::optional<int> scoreOfWord(const QString &word, const QString &text)
{
    std::optional<int> best;
    for (auto at = text.indexOf(word, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(word, at + 1, Qt::CaseInsensitive)) {
        const int score = !beginsWord(text, at)              ? scoreOfInside
                          : endsWord(text, at + word.size()) ? scoreOfWholeWord
                                                             : scoreOfBeginning;
        best = std::max(best.value_or(0), score);
    }
    return best ? best : scoreByLetters(word, text);
}

} // namespace

std::optional<int> fuzzyScore(const QString &typed, const QString &text)
{
    int sum = 0;
    for (const auto &word : typed.split(' ', Qt::SkipEmptyParts)) {
        const auto score = scoreOfWord(word, text);
        if (!score)
            return std::nullopt;
        sum += *score;
    }
    return sum - static_cast<int>(text.size()) / 4; // the shorter one is meant
}

} // namespace gridhelm::ui
