// SPDX-License-Identifier: GPL-3.0-or-later
//
// Lines of comma-separated values (RFC 4180).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gridhelm {

/// The cells of one line, without blanks around them; a cell may stand in quotes, a quote in it is
/// doubled. Throws gridhelm::Error, which begins with `place`, if a quote is not closed.
std::vector<std::string> csvCells(std::string_view line, const std::string &place);

/// Text as a cell: in quotes if it needs them.
std::string csvCell(std::string_view text);

} // namespace gridhelm
