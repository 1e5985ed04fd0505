// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which copy of a study has submitted a run, as the run's token says: the first half of its mark is
// of the machine and the file's path, the second one of the machine and the file itself. A study
// that is moved, or written anew in its place, is the same in one of them; a copy in none.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gridhelm::data {

/// 16 hexadecimal digits.
std::string deskMark(const std::filesystem::path &study);
/// That a token (or an id that contains it) bears; empty: none, as those of older programs.
std::string markIn(std::string_view token);
/// Whether both may be of the same copy.
bool isSameDesk(std::string_view mark, std::string_view other);

} // namespace gridhelm::data
