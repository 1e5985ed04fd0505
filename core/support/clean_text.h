// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text that others wrote (titles, names, units, logs, paths), as it may be shown. What a terminal
// would obey, or what would show letters in another order than they stand in, is spelled out:
// "<U+001B>". Such are control characters (C0, DEL, C1), bidirectional embeddings, overrides and
// isolates (U+202A to U+202E, U+2066 to U+2069), and separators of lines and paragraphs (U+2028,
// U+2029). Bytes that are no UTF-8 become U+FFFD, one for each maximal part of a character.
#pragma once

#include <string>
#include <string_view>

namespace gridhelm {

/// As one line: ends of lines and tabs become blanks.
std::string cleanLine(std::string_view text);

/// As lines: line feeds and tabs stay, other ends of lines (CR LF, CR) become line feeds.
std::string cleanLines(std::string_view text);

/// Whether cleanLines() would leave it as it is because it is printable ASCII. Fast.
bool isPlainLines(std::string_view text);

/// For somebody who has to judge what is there (a command, say): lines as they are, and everything
/// else that is obeyed or cannot be seen is spelled out, characters without a width and bytes that
/// are no UTF-8 ("<0x9B>") as well.
std::string everythingSpelledOut(std::string_view text);

/// The same, every line of it behind a mark ("    | "), so that no text can pretend to be what we
/// say. Ends with a line's end.
std::string markedLines(std::string_view text);

/// As it can be kept: bytes that are no UTF-8, and zero bytes, become U+FFFD; all else stays.
std::string validUtf8(std::string_view text);

/// A JSON document with "\u001b" instead of "<U+001B>", which any JSON parser gives back.
std::string cleanJson(std::string_view document);

} // namespace gridhelm
