// SPDX-License-Identifier: GPL-3.0-or-later
//
// Texts that others wrote, as they can be kept and shown.
#pragma once

#include <string>
#include <string_view>

namespace gridhelm::data {

/// Bytes that are no UTF-8, and zero bytes, become U+FFFD, one for each.
std::string validUtf8(std::string_view text);

/// For a person who has to see what is there: what a terminal or a window would obey or hide
/// (control characters, but for tabs and new lines; characters that turn the direction of writing,
/// or have no width) and bytes that are no UTF-8 are written out, like \x1b or \u{202e}.
std::string writtenOut(std::string_view text);

} // namespace gridhelm::data
