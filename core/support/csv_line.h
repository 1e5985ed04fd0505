// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines of comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridhelm {

/// The cells of one line, without blanks around them; a cell may stand in quotes, a quote in it is
/// doubled; an apostrophe that csvCell() put before a text is taken away. Throws gridhelm::Error,
/// which begins with `place`, if a quote is not closed.
std::vector<std::string> csvCells(std::string_view line, const std::string &place);

/// Without the apostrophe that csvCell() put before it.
std::string_view withoutGuard(std::string_view cell);

/// Text as a cell of one line (clean_text.h), in quotes if it needs them. Spreadsheets compute, and
/// even start programs for, what begins with `= + - @`: before a text that does so and is no number
/// there is an apostrophe.
std::string csvCell(std::string_view text);

} // namespace gridhelm
