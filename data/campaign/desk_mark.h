// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which copy of which study has submitted a run, as the run's token says: its mark is of the
// machine and the file's path, of the machine and the file itself, and of when the study was
// planned. A study that is moved, or restored in its place, is the same in one of the first two and
// the last; a copy in the last alone; another study at its path not in that.
#pragma once

#include "data/study/study.h"

#include <string>
#include <string_view>

namespace gridhelm::data {

/// 24 hexadecimal digits.
std::string deskMark(const Study &study);
/// Whether both may be of the same copy of a study.
bool isSameDesk(std::string_view mark, std::string_view other);
/// Whether the token is a whole one, and certainly of the study with this mark: what may be taken
/// for its run, and removed.
bool isOfStudy(std::string_view token, std::string_view mark);
/// Its parts, for patterns of file names.
struct MarkParts
{
    std::string_view path, file, study;
};
MarkParts partsOf(std::string_view mark);

} // namespace gridhelm::data
