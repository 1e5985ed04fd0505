// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::ui {

/// The words of a line as a shell splits it: blanks part them, unless they are quoted ('..', "..")
/// or follow a backslash. A quote that is not closed ends with the line.
std::vector<std::string> wordsOf(std::string_view line);

/// A line of these words, quoted where they need it: wordsOf() gives them back.
std::string lineOf(const std::vector<std::string> &words);

} // namespace gridhelm::ui
