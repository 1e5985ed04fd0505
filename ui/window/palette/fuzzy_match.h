// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <optional>

namespace gridhelm::ui {

/// How well a text answers what was typed, the more the better; none if it does not. Each word that
/// was typed has to be in the text, in any order and case: at best where a word begins, else
/// anywhere, else letter by letter with others in between ("sbs" for "Side by side").
std::optional<int> fuzzyScore(const QString &typed, const QString &text);

} // namespace gridhelm::ui
